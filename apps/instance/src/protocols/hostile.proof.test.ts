import { apiNames } from '@cadmus/formats/api-names'
import { writeArchive } from '@cadmus/formats/archive'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import type { RunDatabase } from '@cadmus/sql/databases'
import { apiOf } from '@cadmus/sql/api-of'
import { instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { compileApi } from '@cadmus/sql/queries/compile'
import { PlanFault } from '@cadmus/sql/queries/plan'
import { type GeneratedOperation, arbitraryOperation } from '@cadmus/sql/testing/naive/arbitrary-operations'
import { naiveOf } from '@cadmus/sql/testing/naive/naive-of'
import { packageOf } from '@cadmus/sql/testing/packages'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { startInstance } from '../start.ts'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { HostileRequests, type HostileProtocol } from '../testing/hostile-requests.ts'
import { consoleSecret } from '../testing/instance.ts'
import { packageFiles } from '../testing/package-zip.ts'
import { PipelinedConnection, type RawAnswer, type RawRequest } from '../testing/pipelined.ts'
import { sentStatements } from '../testing/sent-statements.ts'

// Half of the requests run on SQLite, half on PostgreSQL. Each round has its own model and database.
const requests = proofCount('hostile', 1500, 1_000_000) / 2
const roundSize = 25_000
/**
 * Connections times depth stays below the connections of the instance to its database, so that no request is refused
 * with 503 for waiting too long.
 */
const connections = 5
const depth = 2
const protocols: readonly HostileProtocol[] = ['rest', 'graphql', 'soap']
const drawn = 2500
/** Further models whose statements supply known words, since one model may not use all operations. */
const others = 40
const drawnOfOthers = 250
/** Statements that drivers send around a change. */
const ends = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']

type Counts = Record<'requests' | 'answered' | 'refused' | 'dropped' | 'texts', number>

describe.each(testDatabases.filter(({ name }) => name === 'SQLite' || name === 'PostgreSQL'))(
  `${requests} hostile requests over $name`,
  ({ name, present, create }) => {
    it.skipIf(!present)('put nothing into the text of a statement and cause no server error', async () => {
      const began = performance.now()
      const counts: Counts = { requests: 0, answered: 0, refused: 0, dropped: 0, texts: 0 }
      for (let round = 0; counts.requests < requests; round += 1) {
        const database = await create()
        await proveRound(proofSeed() + round, database, Math.min(roundSize, requests - counts.requests), counts)
        await database.drop()
      }
      // Fewer answered requests would mean that the database was hardly reached.
      expect(counts.answered).toBeGreaterThan(requests / 10)
      recordProof({
        name: `No hostile request over REST, GraphQL or SOAP puts anything into a statement's text or makes a server error (${name})`,
        counts,
        durationMs: performance.now() - began,
      })
    })
  },
)

async function proveRound(seed: number, { settings }: TestDatabase, size: number, counts: Counts): Promise<void> {
  const statements = await sentStatements(settings)
  const model = modelOf(seed)
  const place = await started(model, propertiesOf(statements.settings))
  const { generated, words } = compiled(model, settings.dialect, seed, drawn)
  const allowedWords = new Set([...wordsOf([...statements.texts, ...ends]), ...words, ...namesOf(model)])
  const operations = generated.map(({ sent }) => sent)
  const hostile = new HostileRequests(apiOf(model), operations, seededRandom(seed))
  const wrong: string[] = []
  const count = ({ status, body }: RawAnswer, { bytes, isBroken }: RawRequest) => {
    counts.requests += 1
    const isFault = status >= 500 && !isOfCaller(body)
    if (isFault || (status === 0 && !isBroken)) wrong.push(`${status} ${body} to ${bytes.toString()}`)
    counts[status === 0 ? 'dropped' : status < 400 ? 'answered' : 'refused'] += 1
  }
  let made = 0
  const next = () => hostile.next(protocols[made % 3] ?? 'rest', `zq${(made += 1).toString(36)}xq`, place.host)
  const calling = Array.from({ length: connections }, async () => {
    const connection = new PipelinedConnection(place.port)
    while (made < size && wrong.length === 0) {
      const batch = Array.from({ length: Math.min(depth, size - made) }, next)
      const whole = batch.filter(({ isBroken }) => !isBroken)
      const answers = await connection.send(whole)
      for (const [at, one] of whole.entries()) count(answers[at] ?? { status: 0, body: '' }, one)
      for (const one of batch.filter(({ isBroken }) => isBroken)) count(await sentAlone(place.port, one), one)
    }
    connection.close()
  })
  await Promise.all(calling)
  expect(wrong, `seed ${seed}`).toEqual([])
  expect(place.errors, `seed ${seed}`).toEqual([])
  expectOnlyKnownWords(statements.texts, allowedWords, settings.dialect, seed)
  expect(await place.state()).toContain('"status":"STARTED"')
  counts.texts += statements.texts.size
  await place.stop()
  await statements.stop()
}

async function sentAlone(port: number, request: RawRequest): Promise<RawAnswer> {
  const connection = new PipelinedConnection(port)
  const [answer = { status: 0, body: '' }] = await connection.send([request])
  connection.close()
  return answer
}

/**
 * SOAP 1.1 answers every fault with 500, and SOAP 1.2 version mismatches; the fault code names the responsible side.
 */
function isOfCaller(body: string): boolean {
  return /<(?:faultcode|soap:Value)>soap:(?:Client|VersionMismatch|MustUnderstand)<\//.test(body)
}

function expectOnlyKnownWords(
  texts: ReadonlySet<string>,
  allowedWords: Set<string>,
  dialect: RunDatabase,
  seed: number,
): void {
  const unknown = () => [...texts].flatMap(text => unknownWords(text, allowedWords).map(word => `${word} in ${text}`))
  if (unknown().length > 0) for (const word of dialectWords(dialect)) allowedWords.add(word)
  expect(unknown(), `seed ${seed}`).toEqual([])
  // Verifies the assertion itself: caller values put into a statement must be detected.
  const filtered = [...texts].find(text => text.includes(' WHERE ')) ?? ''
  for (const bad of ["'zq1xq'", 'zq1xq', '"zq1xq"', '4711', '"a"--']) {
    expect(
      unknownWords(filtered.replace(' WHERE ', ` WHERE ${bad} = `), allowedWords),
      `${bad} in ${filtered}`,
    ).not.toEqual([])
  }
}

/** A model without security, served over all three protocols. */
function modelOf(seed: number): PackageModel {
  const model = packageOf(arbitraryModel(seed, { size: 6 }), seed)
  const { configurationBuild, packageProperties } = model.configuration
  const { apiConfiguration, serviceConfiguration, sqlConfiguration } = configurationBuild
  packageProperties.connectionPoolInfo.databaseName = 'test'
  apiConfiguration.type = ['REST', 'SOAP', 'GRAPHQL']
  serviceConfiguration.applyMultiTenancy = false
  sqlConfiguration.applyLimitOffset = true
  return model
}

async function started(model: PackageModel, properties: readonly string[]) {
  const dataDir = temporaryFolder('instance-hostile')
  const errors: string[] = []
  const env = { CADMUS_INSTANCE_PORT: '0', CADMUS_INSTANCE_DATA_DIR: dataDir, CADMUS_INSTANCE_SECRET: consoleSecret }
  const log = pino({ level: 'error' }, { write: line => void errors.push(line) })
  const running = await startInstance(readConfig(env), { log })
  const { port, publicUrl } = running.context
  const files = { 'resources/cadmus/model.json': JSON.stringify(model) }
  const form = new FormData()
  const zip = writeArchive(packageFiles({ name: model.package, properties, files }))
  form.set('file', new Blob([new Uint8Array(zip)]), 'package.zip')
  const headers = { authorization: `Bearer ${consoleSecret}` }
  const manage = (path: string, init: RequestInit = {}) =>
    fetch(`http://localhost:${port}/esbapi/packages${path}`, { headers, ...init })
  await manage('/upload?stateOnCreate=STARTED', { method: 'POST', body: form })
  const state = async () => (await manage(`/${model.package}`)).text()
  await waitFor(async () => expect(await state()).toContain('"status":"STARTED"'), 60_000)
  return {
    port,
    host: publicUrl.host,
    errors,
    state,
    async stop() {
      await running.close()
      removeFolder(dataDir)
    },
  }
}

/** Words of statements other than names, collected from other models. */
function dialectWords(dialect: RunDatabase): string[] {
  const seeds = Array.from({ length: others }, (_, index) => proofSeed() - 1 - index)
  const words = seeds.flatMap(seed => [...compiled(modelOf(seed), dialect, seed, drawnOfOthers).words])
  return [...new Set(words)].filter(word => !word.startsWith('"'))
}

/** Random operations, and the words of the statements compiled for them without protocol or caller input. */
function compiled(
  model: PackageModel,
  dialect: RunDatabase,
  seed: number,
  count: number,
): { generated: GeneratedOperation[]; words: Set<string> } {
  const api = apiOf(model)
  const schema = instanceSchemaOf(model, dialect)
  const plans = compileApi(api, schema, dialect)
  const naive = naiveOf(model, api, schema, false)
  const random = seededRandom(seed)
  const texts = new Set<string>()
  const generated = Array.from({ length: count }, () => arbitraryOperation(naive, random)).filter(one => one !== null)
  for (const { sent, caller, refused } of generated) {
    if (refused !== null) continue
    for (const way of ['plan', 'written'] as const) {
      try {
        const { steps } = plans[way](sent, caller)
        // Each query returns one row of ones, so that plans run to the end.
        for (let step = steps.next([]); !step.done; step = steps.next([Array.from({ length: 100 }, () => '1')])) {
          texts.add(step.value.text)
        }
      } catch (error) {
        // The value 1 may be invalid for the type of a field.
        if (!(error instanceof PlanFault)) throw error
      }
    }
  }
  return { generated, words: wordsOf([...texts]) }
}

/** GraphQL names of types and members, which PostgreSQL uses to write answers. */
function namesOf(model: PackageModel): string[] {
  const called = [...apiNames(apiOf(model)).values()]
  const members = called.flatMap(one => [...one.members.values()])
  return [...members, 'customFields', '__typename']
    .map(name => `"${name}"`)
    .concat(called.map(({ type }) => `'${type}'`))
}

const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_$]*|\$\d+|\?\d*|\d+(?:\.\d+)?|--|\/\*|\s+|./gsu

/**
 * Tokens of statements: quoted names and literals as a whole, numbers, words. Aliases and parameters without their
 * number.
 */
function wordsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap(text => text.match(token) ?? []).map(word => word.replace(/^([a-z]|\$|\?)\d+$/, '$1#')))
}

function unknownWords(text: string, allowedWords: ReadonlySet<string>): string[] {
  return [...wordsOf([text])].filter(word => !allowedWords.has(word))
}
