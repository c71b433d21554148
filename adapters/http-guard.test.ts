import type { LookupAddress } from "node:dns";
import { describe, expect, it, vi } from "vitest";
import { createGuardedFetch, type RequestEvent } from "./http";
import { createAddressGuard } from "./http-address";
import { LOOPBACK, startUpstream } from "./testing/upstream";

describe("the address guard", () => {
  const guard = createAddressGuard([]);

  it.each([
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.1", "198.18.0.1", "203.0.113.7",
    "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1",
    "::ffff:127.0.0.1", "::ffff:a00:1", "::127.0.0.1", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "2002:7f00:1::", "2001::1",
    "2001:db8::1", "3fff::1", "100::1", "4000::1", "not an address", "",
  ])("refuses %s", (address) => expect(guard(address)).toBe(false)); // biome-ignore format: one table

  it.each(["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
    "lets %s pass",
    (address) => expect(guard(address)).toBe(true),
  );

  it("lets listed networks pass, whichever way the address is written", () => {
    const lenient = createAddressGuard(["10.0.0.0/8", " fd00::/8", "127.0.0.1", ""]);

    expect(["10.9.9.9", "::ffff:10.9.9.9", "fd12::1", "127.0.0.1"].map(lenient)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["127.0.0.2", "192.168.0.1", "::1"].map(lenient)).toEqual([false, false, false]);
  });

  it("names the setting when an entry is no network", () => {
    expect(() => createAddressGuard(["10.0.0.0/8", "intranet"])).toThrow(
      /TIDEMARK_ALLOW_PRIVATE_NETWORKS: "intranet"/,
    );
  });
});

describe("F24: nothing inside is reached", () => {
  const fetch = createGuardedFetch({ allowPrivateNetworks: [] });

  it.each([
    "http://127.0.0.1/", "http://[::1]/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/",
    "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/", "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/", "http://0/", "http://localhost/", "http://①②⑦.0.0.1/",
  ])("refuses %s and names the setting", async (url) => {
    const error = await fetch(url).catch((e) => e);

    expect(error).toMatchObject({ code: "blocked_address" });
    expect(error.message).toContain("TIDEMARK_ALLOW_PRIVATE_NETWORKS");
  }); // biome-ignore format: one table

  it("refuses a redirect inside on every hop, and shows nothing of what is there", async () => {
    const inside = await startUpstream((_, res) => res.end("the secret inside"));
    const port = new URL(inside.origin).port;
    const events: RequestEvent[] = [];
    const outside = await startUpstream((req, res) => {
      const target = req.url === "/" ? "/second" : `http://127.0.0.2:${port}/`;
      res.writeHead(302, { location: target }).end();
    });
    const careful = createGuardedFetch({
      allowPrivateNetworks: ["127.0.0.1/32"],
      onRequest: (event) => events.push(event),
    });

    const error = await careful(outside.origin).catch((e) => e);

    expect(error).toMatchObject({ code: "blocked_address" });
    expect(JSON.stringify([error.message, error.info, events])).not.toContain("the secret inside");
    expect(inside.requests).toEqual([]);
  });

  it("refuses a redirect to a file", async () => {
    const outside = await startUpstream((_, res) =>
      res.writeHead(302, { location: "file:///etc/passwd" }).end(),
    );
    const lenient = createGuardedFetch({ allowPrivateNetworks: LOOPBACK });

    await expect(lenient(outside.origin)).rejects.toMatchObject({ code: "invalid_url" });
  });

  it("refuses a name that resolves inside the second time", async () => {
    const inside = await startUpstream((_, res) => res.writeHead(200, { connection: "close" }).end("inside"));
    const port = new URL(inside.origin).port;
    const answers: LookupAddress[][] = [
      [{ address: "127.0.0.1", family: 4 }],
      [{ address: "127.0.0.2", family: 4 }],
    ];
    const resolve = vi.fn(async () => answers.shift() ?? []);
    const careful = createGuardedFetch({ allowPrivateNetworks: ["127.0.0.1/32"], resolve });

    await expect(careful(`http://rebind.example:${port}/`)).resolves.toMatchObject({ status: 200 });
    await expect(careful(`http://rebind.example:${port}/`)).rejects.toMatchObject({
      code: "blocked_address",
    });
    expect(inside.requests).toHaveLength(1);
  });

  it("connects to the permitted one of several addresses", async () => {
    const upstream = await startUpstream((_, res) => res.end("fine"));
    const careful = createGuardedFetch({
      allowPrivateNetworks: ["127.0.0.1/32"],
      resolve: async () => [
        { address: "10.0.0.1", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ],
    });

    const response = await careful(`http://mixed.example:${new URL(upstream.origin).port}/`);

    expect(response.status).toBe(200);
  });

  it("exempts one origin and not its neighbour", async () => {
    const demo = await startUpstream((_, res) => res.end("demo"));
    const other = await startUpstream((_, res) => res.end("other"));
    const careful = createGuardedFetch({ allowPrivateNetworks: [], exemptOrigin: demo.origin });

    await expect(careful(`${demo.origin}/feed`)).resolves.toMatchObject({ status: 200 });
    await expect(careful(`${other.origin}/feed`)).rejects.toMatchObject({ code: "blocked_address" });
  });
});
