// Stands in for `server-only`, which throws outside a React server build.
export {};
