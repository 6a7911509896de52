import { describe, expect, it } from "vitest";
import { assertPublicAddress, isPrivateAddress } from "../../src/execute/address-guard.ts";

const nothingDeclared = { isDeclaredLoopback: () => false };
const noLookup = () => Promise.reject(new TypeError("an address needs no lookup"));

describe("isPrivateAddress", () => {
  it.each(
    "0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fc00::1 fd12::1 fe80::1 ff02::1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1"
      .split(" ")
      .map((address) => [address]),
  )("says so of %s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([["93.184.216.34"], ["172.32.0.1"], ["100.128.0.1"], ["2606:2800:220:1::1"], ["::ffff:93.184.216.34"]])(
    "does not say so of %s",
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );
});

describe("assertPublicAddress", () => {
  it.each([
    ["https://127.0.0.1/"],
    ["https://0x7f.1/"],
    ["https://2130706433/"],
    ["https://0177.0.0.1/"],
    ["https://①②⑦.⓪.⓪.①/"],
    ["https://[::1]/"],
    ["https://[::ffff:127.0.0.1]/"],
    ["https://[::ffff:169.254.169.254]/"],
    ["https://[fd00::1]/"],
  ])("refuses %s without asking a resolver", async (url) => {
    await expect(assertPublicAddress(url, nothingDeclared, noLookup)).rejects.toMatchObject({ code: "FETCH_HOST_REFUSED" });
  });

  it("lets a loopback host through that the Pack itself declared", async () => {
    await expect(assertPublicAddress("http://127.0.0.1:4000/", { isDeclaredLoopback: () => true }, noLookup)).resolves.toBeUndefined();
  });

  it("lets a name through that leads to public addresses only", async () => {
    await expect(
      assertPublicAddress("https://api.tasks.example/", nothingDeclared, async () => ["93.184.216.34"]),
    ).resolves.toBeUndefined();
  });
});
