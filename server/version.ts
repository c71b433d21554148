import manifest from "../package.json" with { type: "json" };

/** As released; shown by /api/health and openapi.json. */
export const VERSION: string = manifest.version;
