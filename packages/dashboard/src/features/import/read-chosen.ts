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
      const bytes = await file.arrayBuffer()
      files.push({ name: file.name, content: new TextDecoder('utf-8', { fatal: true }).decode(bytes) })
    } catch {
      problems.push(`${file.name} is no text. Choose the JSON, YAML or TOML file of the service.`)
    }
  }
  return { files, problems }
}
