import { describe, expect, it } from "vitest";
import {
  checkIntrospectionUrl,
  requirePrivateHttp,
} from "../../../../src/service/local/api/introspection-url.ts";

describe("the URL of an introspection endpoint", () => {
  it.each([
    "https://login.tasks.example/introspect",
    "https://10.0.0.5/introspect",
    "https://login.tasks.example:444/introspect?realm=a",
    "http://login:8080/realms/a/introspect",
    "http://192.168.1.4/introspect",
    "http://[fd00::1]:8080/introspect",
    "http://[fe80::1]:8080/introspect",
    "http://[::ffff:10.0.0.5]:8080/introspect",
    "http://[::1]:8080/introspect",
    "http://[::]:8080/introspect",
    "http://0.0.0.0:8080/introspect",
    "http://100.64.0.1/introspect",
    "http://127.0.0.1:4000/introspect",
    "http://localhost:4000/introspect",
  ])("can be %s", (url) => {
    expect(() => checkIntrospectionUrl(url, "--introspection-url")).not.toThrow();
  });

  it.each([
    ["nonsense", "is not a valid URL"],
    ["", "is not a valid URL"],
    ["http://", "is not a valid URL"],
    ["/introspect", "is not a valid URL"],
    ["localhost:4000/introspect", "is not an absolute http or https URL"],
    ["ftp://login.tasks.example/", "is not an absolute http or https URL"],
    ["https:login.tasks.example", "is not an absolute http or https URL"],
    [" https://login.tasks.example/", "is not an absolute http or https URL"],
    ["https://c:planted@login.tasks.example/", "contains a user name or a password"],
    ["https://login.tasks.example/#planted", "has a fragment"],
    ["http://93.184.216.34/introspect", "uses http with a public address"],
    ["http://[2606:2800:220:1::1]/introspect", "uses http with a public address"],
    // IPv6 addresses through which a request reaches a public IPv4 address.
    ["http://[::ffff:8.8.8.8]/introspect", "uses http with a public address"],
    ["http://[::ffff:808:808]/introspect", "uses http with a public address"],
    ["http://[::8.8.8.8]/introspect", "uses http with a public address"],
    ["http://[64:ff9b::8.8.8.8]/introspect", "uses http with a public address"],
    ["http://[2002:808:808::1]/introspect", "uses http with a public address"],
  ])("cannot be %j", (url, fault) => {
    expect(() => checkIntrospectionUrl(url, "--introspection-url")).toThrow(
      expect.objectContaining({
        code: "USAGE_INVALID",
        message: `--introspection-url ${fault}.`,
        hint: expect.stringContaining("Write --introspection-url https://"),
      }),
    );
  });

  it.each([
    ["http://login:8080/", ["172.18.0.3"]],
    ["http://login:8080/", ["172.18.0.3", "fd00::3"]],
    ["http://localhost:8080/", ["127.0.0.1", "::1"]],
    ["https://login.tasks.example/", ["93.184.216.34"]],
  ])("%s can be requested when its host has the addresses %j", async (url, addresses) => {
    await requirePrivateHttp(new URL(url), async () => addresses);
  });

  it.each([["93.184.216.34"], ["::ffff:8.8.8.8"]])(
    "with http is refused when its host has the public address %s",
    async (address) => {
      const url = new URL("http://login.tasks.example/introspect?planted=1");
      const addresses = ["10.0.0.5", address];
      await expect(requirePrivateHttp(url, async () => addresses)).rejects.toMatchObject({
        code: "URL_NOT_ALLOWED",
        details: {
          url: "http://login.tasks.example/introspect",
          reason: "it uses http, and its host has a public address",
        },
      });
    },
  );
});
