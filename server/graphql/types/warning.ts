import { builder } from "../builder";

export const WarningInput = builder.inputType("WarningInput", {
  fields: (t) => ({
    code: t.string({ required: true, description: "Your own, at most 100 characters." }),
    message: t.string({ required: true, description: "For people, at most 2,000 characters." }),
  }),
});

export const Warning = builder.objectRef<{ code: string; message: string }>("Warning").implement({
  fields: (t) => ({
    code: t.exposeString("code", { description: "The stable part." }),
    message: t.exposeString("message"),
  }),
});
