import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Any order, by the run's seed. Files with a process of their own come before those that share one: a
 * shared process ends when the next file is not for it, and the longest files are among the former, which
 * at the end would keep one worker waiting for the other.
 */
export default class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const keyOf = ({ project, moduleId }: TestSpecification) =>
      (project.config.isolate ? "0" : "1") + createHash("sha256").update(`${seed} ${moduleId}`).digest("hex");
    return files
      .map((file) => ({ file, key: keyOf(file) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ file }) => file);
  }
}
