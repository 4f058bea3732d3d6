import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { figure } from '../harness/result-table.mjs'
import { stopProcess } from '../harness/stop-process.mjs'
import { scenarios } from './scenarios.mjs'

/** The programs, each of which prints its table. */
const PROGRAMS = ['run.mjs', 'extensions.mjs', 'openfeature.mjs']
const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))

export const evaluation = {
  title: 'Evaluation: nanoseconds, beside the SDKs of other services',
  async run() {
    const tables = []
    for (const file of PROGRAMS) tables.push(readTable(await outputOf(file)))
    return tables
  },
  /** The evaluation alone, in a process of each checkout. */
  sections: () => [{ columns: ['Scenario', 'evaluation'], compared: ['evaluation'], open }],
}

async function open({ root }) {
  const child = fork(pathOf('compared.mjs'), [root])
  const measure = async (scenario) => {
    const measured = Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the process ended with ${code}`))),
    ])
    child.send(scenario)
    const [nanoseconds] = await measured
    return [figure(nanoseconds, 'ns')]
  }
  const rows = scenarios.map(({ name, title }) => ({ name: title, measure: () => measure(name) }))
  return { rows, close: () => stopProcess(child) }
}

async function outputOf(file) {
  const child = spawn(process.execPath, [pathOf(file)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`bench/evaluation/${file} ended with ${code}.`)
  return output
}

/** Reads the Markdown table of an output. */
function readTable(output) {
  const lines = output.split('\n').filter((line) => line.startsWith('|'))
  const [columns, _rule, ...rows] = lines.map((line) => line.slice(2, -2).split(' | '))
  return { columns, rows }
}
