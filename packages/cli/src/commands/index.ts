import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { addApply } from './apply.ts'
import { addAudit } from './audit.ts'
import { addCompletion } from './completion.ts'
import { addDev } from './dev.ts'
import { addDiff, addPromote } from './diff.ts'
import { addDoctor } from './doctor.ts'
import { addDrift } from './drift.ts'
import { addEval } from './eval.ts'
import { addExport } from './export.ts'
import { addFlags } from './flags.ts'
import { addGenerate } from './generate.ts'
import { addHelp } from './help.ts'
import { addImport } from './import.ts'
import { addKeys } from './keys.ts'
import { addLogin } from './login.ts'
import { addMcp } from './mcp.ts'
import { addPlan } from './plan.ts'
import { addProjects } from './projects.ts'
import { addServer } from './server.ts'
import { addStale } from './stale.ts'
import { addTest } from './test.ts'
import { addUsages } from './usages.ts'
import { addWhoami } from './whoami.ts'

type AddCommands = (program: Command, context: CommandContext) => void

/** Every command below its heading, in the order of `burgee --help`. A command is one file. */
export const COMMAND_GROUPS: readonly (readonly [heading: string, commands: readonly AddCommands[]])[] = [
  ['Connect:', [addLogin, addWhoami, addProjects]],
  ['Look:', [addEval, addDiff, addDrift, addStale, addAudit]],
  ['Change:', [addFlags, addPromote, addKeys]],
  ['Files and pipelines:', [addExport, addPlan, addApply, addTest]],
  ['Migrate:', [addImport]],
  ['Code:', [addGenerate, addUsages, addDev, addMcp]],
  ['Server:', [addServer, addDoctor]],
  ['Help:', [addCompletion, addHelp]],
]
