// What a module may read at import; the database is chosen per file (test/database.ts).
process.env.TIDEMARK_SECRET ??= "test-secret-test-secret-test-secret-0000";
process.env.CRON_SECRET ??= "test-cron-secret-0000";
process.env.DATABASE_URL ??= "postgresql://unused.invalid/unused";
