import type { GuardedResponse } from "@/sdk/adapter";
import { createTextMask, type MaskText, secretsOfCredentials, secretsOfUrl } from "@/sdk/mask-secrets";
import { maskUrlsInText } from "@/sdk/mask-url";

export { createTextMask, type MaskText, secretsOfCredentials, secretsOfUrl };

/** Enough of a failed answer to see what it was. */
const SAMPLE_BYTES = 2048;

// Kept beside the response and not in it: adapters see the upstream's bytes, messages see this.
const samples = new WeakMap<GuardedResponse, string>();

/** The first 2 KB of an answer as text, masked. */
export function takeSample(body: Uint8Array, mask: MaskText): string {
  const text = new TextDecoder().decode(body.subarray(0, SAMPLE_BYTES));
  return mask(text.replaceAll("\0", ""));
}

export function rememberSample(response: GuardedResponse, sample: string): void {
  samples.set(response, sample);
}

/** The masked beginning of a response, for `UpstreamError.info.detail`. */
export function sampleOf(response: GuardedResponse): string {
  return samples.get(response) ?? takeSample(response.body, maskUrlsInText);
}
