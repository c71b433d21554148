/** `@tidemark/client/testing`: the tests that every adapter passes, for any test runner. */
export {
  adapterContract,
  type ContractSetup,
  describeAdapterContract,
  type TestFramework,
} from "./contract/adapter-contract.ts";
export { ContractBroken } from "./contract/assertions.ts";
export {
  emptyMemory,
  type FeedMemory,
  liveIds,
  type WalkRecord,
  type WalkSetup,
  walkAdapter,
} from "./contract/walk-adapter.ts";
