import { builder } from "../builder";

export const NewFeedsInput = builder.inputType("NewFeedsInput", {
  fields: (t) => ({
    isOn: t.boolean({ description: "Are feeds that appear later added by themselves?" }),
    address: t.string({ description: "Where they are looked for." }),
    leftOut: t.stringList({ description: "Keys of feeds that are never added by themselves." }),
  }),
});
