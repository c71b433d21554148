import { builder } from "../builder";

const CredentialsType = builder.enumType("CredentialsType", { values: ["basic", "bearer"] as const });

export const CredentialsInput = builder.inputType("CredentialsInput", {
  description: "What an upstream wants to see before it answers.",
  fields: (t) => ({
    type: t.field({ type: CredentialsType, required: true }),
    username: t.string({ description: "Of `basic`." }),
    password: t.string({ description: "Of `basic`." }),
    token: t.string({ description: "Of `bearer`." }),
  }),
});

export const NewFeedsInput = builder.inputType("NewFeedsInput", {
  fields: (t) => ({
    isOn: t.boolean({ description: "Are feeds that appear later added by themselves?" }),
    address: t.string({ description: "Where they are looked for." }),
    leftOut: t.stringList({ description: "Keys of feeds that are never added by themselves." }),
  }),
});
