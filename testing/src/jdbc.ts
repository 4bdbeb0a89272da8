import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { findJar, findJava } from './availability.ts'
import { askBroker, type SharedEngine } from './broker.ts'
import { startChild } from './children.ts'
import { recordEngine } from './engine-versions.ts'
import { type ScriptStyle, splitStatements, STANDARD } from './statements.ts'
import { Gone, waitFor } from './temporary.ts'

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

/** Milliseconds; only ends a start that hangs. */
const TIMEOUT = 60_000
const RUNNER = fileURLToPath(new URL('../java/Runner.java', import.meta.url))

/** Databases whose address `urlOf` makes from a random name, in the Java process of the vitest run or a separate one. */
export function startJdbc(kind: JdbcKind): JdbcEngine {
  const conversation = openConversation()
  // The first database reports a failed start.
  conversation.catch(() => undefined)
  return {
    createDatabase: async () => openDatabase((await conversation).ask, kind),
    stop: async () => (await conversation).end(),
  }
}

/** Starts a Java process; its `url` is the port. Starting takes seconds of processor time. */
export async function startOwnJdbc(): Promise<SharedEngine> {
  const java = findJava()
  const jars = (['hsqldb', 'h2'] as const).map(findJar).filter(jar => jar !== undefined)
  if (java === undefined || jars.length === 0) {
    throw new Error(
      'Java or its databases are not installed: apt-get install default-jre-headless libhsqldb-java libh2-java',
    )
  }
  // Small heap and fast compiler: test databases are small, and the start of Java dominates.
  const options = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', jars.join(':'), RUNNER]
  const child = startChild(java, options)
  const port = await waitFor(async () => {
    if (child.process.exitCode !== null) throw new Gone(`The Java runner ended.\n${child.output()}`)
    const found = /Listening on port (\d+)\./.exec(child.output())?.[1]
    if (found === undefined) throw new Error(`The Java runner does not listen.\n${child.output()}`)
    return found
  }, TIMEOUT)
  return { url: port, stop: () => child.stop('SIGTERM') }
}

async function openConversation(): Promise<{ ask: Ask; end(): Promise<void> }> {
  const shared = await askBroker('jdbc')
  const own = shared === undefined ? await startOwnJdbc() : undefined
  const socket = connect(Number(shared ?? own?.url), '127.0.0.1')
  const waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  // An answer is a line, but its texts may contain other line separators of readline.
  let begun = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    const lines = `${begun}${part}`.split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) waiting.shift()?.resolve(JSON.parse(line))
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    for (const { reject } of waiting.splice(0)) reject(new Error('The connection to the Java runner has ended.'))
  })
  const ask: Ask = async (command, name, text) => {
    const answer = await new Promise<Answer>((resolve, reject) => {
      if (socket.destroyed) return reject(new Error('The connection to the Java runner has ended.'))
      waiting.push({ resolve, reject })
      socket.write(`${command}\t${name}\t${Buffer.from(text).toString('base64')}\n`)
    })
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error), { sqlState: answer.state })
    return answer
  }
  return {
    ask,
    end: async () => {
      socket.destroy()
      await own?.stop()
    },
  }
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
