import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { findJar, findJava } from './availability.ts'
import { startChild } from './children.ts'
import { recordEngine } from './engine-versions.ts'
import { type ScriptStyle, splitStatements, STANDARD } from './statements.ts'

export interface JdbcEngine {
  /** A new empty database in memory. */
  createDatabase(): Promise<JdbcDatabase>
  stop(): Promise<void>
}

export interface JdbcDatabase {
  readonly version: string
  /** Runs a script statement by statement, like the engine's own tools; errors include the statement. */
  execute(script: string): Promise<void>
  query(statement: string): Promise<Record<string, unknown>[]>
  /** Rows as lists of values, or the number of changed rows; errors have the database's `sqlState`. */
  run(statement: string): Promise<{ rows: unknown[][]; count: number }>
  drop(): Promise<void>
}

interface Answer {
  readonly error?: string
  readonly state?: string
  readonly count?: number
  readonly version?: string
  readonly rows?: Record<string, unknown>[]
}

/** The engine behind a driver, and the style of its scripts. */
export interface JdbcKind {
  readonly engine: 'HSQLDB' | 'H2'
  urlOf(name: string): string
  readonly style?: ScriptStyle
}

type Ask = (command: 'open' | 'execute' | 'close', name: string, text: string) => Promise<Answer>

const RUNNER = fileURLToPath(new URL('../java/Runner.java', import.meta.url))

/** Starts one Java process for databases whose address `urlOf` makes from a random name. */
export function startJdbc(kind: JdbcKind): JdbcEngine {
  const java = findJava()
  const jars = (['hsqldb', 'h2'] as const).map(findJar).filter(jar => jar !== undefined)
  if (java === undefined || jars.length === 0) {
    throw new Error(
      'Java or its databases are not installed: apt-get install default-jre-headless libhsqldb-java libh2-java',
    )
  }
  // Small heap and fast compiler: test databases are small, and the start of Java dominates.
  const options = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', jars.join(':'), RUNNER]
  const child = startChild(java, options, { pipeInput: true })
  const { ask } = conversation(child.process)
  return {
    createDatabase: () => openDatabase(ask, kind),
    stop: () => child.stop('SIGTERM'),
  }
}

function conversation(child: ReturnType<typeof startChild>['process']): { ask: Ask } {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('The Java runner has no input or output.')
  const waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  // An answer is a line, but its texts may contain other line separators of readline.
  let begun = ''
  stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = `${begun}${part}`.split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) waiting.shift()?.resolve(JSON.parse(line))
  })
  child.once('exit', code => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`The Java runner ended with ${code}.`))
  })
  const ask: Ask = async (command, name, text) => {
    const answer = await new Promise<Answer>((resolve, reject) => {
      waiting.push({ resolve, reject })
      stdin.write(`${command}\t${name}\t${Buffer.from(text).toString('base64')}\n`)
    })
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error), { sqlState: answer.state })
    return answer
  }
  return { ask }
}

async function openDatabase(ask: Ask, { engine, urlOf, style = STANDARD }: JdbcKind): Promise<JdbcDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  const { version = '' } = await ask('open', name, urlOf(name))
  recordEngine(engine, version)
  return {
    version,
    execute: async script => {
      for (const statement of splitStatements(script, style)) {
        await ask('execute', name, statement).catch((error: unknown) => {
          throw new Error(`${error instanceof Error ? error.message : String(error)}\nin: ${statement}`, {
            cause: error,
          })
        })
      }
    },
    run: async statement => {
      const { rows = [], count = 0 } = await ask('execute', name, statement)
      return { rows: rows.map(row => Object.values(row)), count }
    },
    query: async statement => (await ask('execute', name, statement)).rows ?? [],
    drop: async () => {
      await ask('close', name, '')
    },
  }
}
