import { describe, it } from "vitest";
import type { Adapter } from "@/sdk/adapter";
import { type ContractSetup, describeAdapterContract as describeWith } from "@/sdk/contract/adapter-contract";

export type { ContractSetup };

/** The tests every adapter passes, with this project's test runner. See sdk/contract/adapter-contract.ts. */
export function describeAdapterContract(adapter: Adapter, setup: ContractSetup): void {
  describeWith(adapter, setup, { describe, it });
}
