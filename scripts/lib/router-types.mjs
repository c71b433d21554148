import { join } from "node:path";
import ts from "typescript";
import { root } from "./project.mjs";
import { TypeWriter } from "./type-writer.mjs";

const HEAD = `// Written by \`npm run router-types\` from server/trpc/root.ts; do not edit.
// biome-ignore-all lint/suspicious/noConfusingVoidType: tRPC's own way of saying "no input"
import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from "@trpc/server";
import type { RouterRoot } from "./router-root.ts";
`;

/** The source of the published router type, unformatted. */
export function describeRouter(rootFile) {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
      },
    },
  );
  const program = ts.createProgram([rootFile], { ...config.options, noEmit: true, incremental: false });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(rootFile);
  const symbol = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .find((s) => s.name === "appRouter");
  const router = checker.getTypeOfSymbol(symbol);
  const writer = new TypeWriter(checker, source);
  const record = memberType(memberType(router, "_def"), "record");
  const body = writeRecord(record);
  return `${HEAD}\n${writer.aliases()}\nexport type AppRouter = TRPCBuiltRouter<RouterRoot, ${body}>;\n`;

  function writeRecord(type) {
    const members = type.getProperties().map((property) => {
      const member = checker.getTypeOfSymbolAtLocation(property, source);
      return `${JSON.stringify(property.name)}: ${member.getProperty("_def") ? writeProcedure(member) : writeRecord(member)};`;
    });
    return `{\n${members.join("\n")}\n}`;
  }

  function writeProcedure(procedure) {
    const def = memberType(procedure, "_def");
    const kind = { query: "Query", mutation: "Mutation", subscription: "Subscription" }[
      memberType(def, "type").value
    ];
    const types = memberType(def, "$types");
    const input = writer.write(memberType(types, "input"));
    const output = writer.write(memberType(types, "output"));
    return `TRPC${kind}Procedure<{ meta: object; input: ${input}; output: ${output} }>`;
  }

  function memberType(type, name) {
    return checker.getTypeOfSymbolAtLocation(checker.getPropertyOfType(type, name), source);
  }
}
