import type { TestContext } from 'vitest'
import type { Stage } from '../harness/open-stage.ts'
import { runCommand } from '../harness/run-language.ts'
import { skipBecause } from '../harness/skip-because.ts'
import { ROOT } from './root.ts'

/** Runs a program in the folder of the repository. */
export const runHere = (stage: Stage, program: string, ...args: readonly string[]) =>
  runCommand(stage, { program, args, cwd: ROOT })

/** Skips the test where a program is missing. */
export async function needProgram(
  stage: Stage,
  context: TestContext,
  program: string,
  ...args: readonly string[]
): Promise<void> {
  if (!(await runHere(stage, program, ...args)).isOk) skipBecause(context, `${program} is not installed`)
}
