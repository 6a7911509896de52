import { describe, expect, it } from "vitest";
import { publicAddressesOf } from "../../src/execute/address-guard.ts";
import { bareHost } from "../../src/oauth/url-policy.ts";

const noLookup = () => Promise.reject(new TypeError("an address needs no lookup"));

describe("publicAddressesOf", () => {
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
  ])("refuses the host of %s without asking a resolver", async (url) => {
    await expect(publicAddressesOf(bareHost(new URL(url)), noLookup)).rejects.toMatchObject({ code: "FETCH_HOST_REFUSED" });
  });

  it.each(
    "0.0.0.0 10.0.0.1 100.64.0.1 127.255.255.254 169.254.169.254 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fc00::1 fe80::1 ff02::1 ::ffff:7f00:1 64:ff9b::7f00:1"
      .split(" ")
      .map((address) => [address]),
  )("refuses a name that leads to %s", async (address) => {
    const lookup = async () => ["93.184.216.34", address];
    await expect(publicAddressesOf("api.tasks.example", lookup)).rejects.toMatchObject({
      code: "FETCH_HOST_REFUSED",
      message: "api.tasks.example leads into a private network.",
    });
  });

  it("refuses a name that leads nowhere", async () => {
    await expect(publicAddressesOf("api.tasks.example", async () => [])).rejects.toMatchObject({ code: "FETCH_HOST_REFUSED" });
  });

  it("gives the addresses of a name that leads to public ones only", async () => {
    const addresses = ["93.184.216.34", "2606:2800:220:1::1"];
    expect(await publicAddressesOf("api.tasks.example", async () => addresses)).toEqual(addresses);
  });
});
