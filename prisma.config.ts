import { defineConfig } from "prisma/config";

// `generate` needs no schema engine, but the CLI insists on finding one and would download it.
// Any executable satisfies it; `migrate` needs the real one.
if (!process.argv.includes("migrate")) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://localhost/tidemark" },
});
