import { builder } from "../builder";

export const Warning = builder.objectRef<{ code: string; message: string }>("Warning").implement({
  fields: (t) => ({
    code: t.exposeString("code", { description: "The stable part." }),
    message: t.exposeString("message"),
  }),
});
