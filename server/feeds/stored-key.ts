import type { Adapter } from "@/sdk/adapter";
import { AppError, type FieldError } from "@/server/errors";
import { formerExternalKeys, splitSecretUrl } from "@/server/vault/feed-url";

/** A feed's key as it is stored, what of it goes into the vault instead, and all it may be stored as already. */
export type StoredKey = { storedKey: string; secretUrl: string | null; formerKeys: string[] };

/**
 * @param path the key's place in the request, for errors.
 * @throws AppError invalid_request for what is no http(s) address where the adapter wants one.
 */
export function toStoredKey(adapter: Adapter | undefined, key: string, path: string): StoredKey {
  if (!adapter?.externalKeyIsUrl) return { storedKey: key, secretUrl: null, formerKeys: [] };
  if (!isHttpUrl(key)) {
    throw refuseField({ path, code: "invalid_url", message: "Must be an http or https URL." });
  }
  const { externalKey, secretUrl } = splitSecretUrl(key);
  return { storedKey: externalKey, secretUrl, formerKeys: formerExternalKeys(key) };
}

export function refuseField(field: FieldError): AppError {
  return new AppError("invalid_request", `${field.path}: ${field.message}`, { fields: [field] });
}

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === "http:" || protocol === "https:";
}
