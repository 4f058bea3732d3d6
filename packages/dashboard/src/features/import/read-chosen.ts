import { decodeText } from '@burgee/contract'
import { messageOf } from '../../shared/api/api-error.ts'
import { type ChosenFile, findReadProblem } from './import-files.ts'

interface ReadFiles {
  readonly files: readonly ChosenFile[]
  /** The files that could not be read, each with the reason. */
  readonly problems: readonly string[]
}

/** Reads the files that a person has chosen, as text. They stay in this page until they are sent. */
export async function readChosen(chosen: readonly File[]): Promise<ReadFiles> {
  const files: ChosenFile[] = []
  const problems: string[] = []
  for (const file of chosen) {
    const problem = findReadProblem(file)
    if (problem !== null) {
      problems.push(problem)
      continue
    }
    try {
      files.push({ name: file.name, content: decodeText(new Uint8Array(await file.arrayBuffer())) })
    } catch (error) {
      problems.push(`${file.name} cannot be read: ${messageOf(error)}.`)
    }
  }
  return { files, problems }
}
