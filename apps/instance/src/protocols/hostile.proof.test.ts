import { apiNames } from '@cadmus/formats/api-names'
import { writeArchive } from '@cadmus/formats/archive'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
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
import type { DatabaseDialect } from '../drivers/settings.ts'
import { startInstance } from '../start.ts'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { HostileRequests, type HostileProtocol } from '../testing/hostile-requests.ts'
import { consoleSecret } from '../testing/instance.ts'
import { packageFiles } from '../testing/package-zip.ts'
import { PipelinedConnection, type RawAnswer, type RawRequest } from '../testing/pipelined.ts'
import { sentStatements } from '../testing/sent-statements.ts'

// Half of them over the embedded database, half over PostgreSQL; each round has a model and a database of its own.
const requests = proofCount('hostile', 1500, 1_000_000) / 2
const roundSize = 25_000
/** Together no more under way than an instance has connections to its database: who waits for one too long is told so by 503, hostile or not. */
const connections = 5
const depth = 2
const protocols: readonly HostileProtocol[] = ['rest', 'graphql', 'soap']
const drawn = 2500
/** Other models that say which words the statements of a database are made of: one alone may have drawn no operation with some of them. */
const others = 40
const drawnOfOthers = 250
/** What drivers say around the statements of a change. */
const ends = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']

type Counts = Record<'requests' | 'answered' | 'refused' | 'dropped' | 'texts', number>

describe.each(testDatabases.filter(({ name }) => name === 'SQLite' || name === 'PostgreSQL'))(
  `${requests} hostile requests over $name`,
  ({ name, present, create }) => {
    it.skipIf(!present)('reach no statement and make no server error', async () => {
      const began = performance.now()
      const counts: Counts = { requests: 0, answered: 0, refused: 0, dropped: 0, texts: 0 }
      for (let round = 0; counts.requests < requests; round += 1) {
        const database = await create()
        await proveRound(proofSeed() + round, database, Math.min(roundSize, requests - counts.requests), counts)
        await database.drop()
      }
      // They came as far as the database, or it would prove nothing.
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
  const { asked, words } = compiled(model, settings.dialect, seed, drawn)
  const known = new Set([...wordsOf([...statements.texts, ...ends]), ...words, ...namesOf(model)])
  const operations = asked.map(({ sent }) => sent)
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
  expectNothingStrange(statements.texts, known, settings.dialect, seed)
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

/** SOAP 1.1 has every fault answered with 500, SOAP 1.2 that of another version; whose fault it is the message says. */
function isOfCaller(body: string): boolean {
  return /<(?:faultcode|soap:Value)>soap:(?:Client|VersionMismatch|MustUnderstand)<\//.test(body)
}

function expectNothingStrange(
  texts: ReadonlySet<string>,
  known: Set<string>,
  dialect: DatabaseDialect,
  seed: number,
): void {
  const strange = () => [...texts].flatMap(text => strangeIn(text, known).map(word => `${word} in ${text}`))
  if (strange().length > 0) for (const word of dialectWords(dialect)) known.add(word)
  expect(strange(), `seed ${seed}`).toEqual([])
  // What would be let through is seen: statements of the package with something of a caller in them.
  const filtered = [...texts].find(text => text.includes(' WHERE ')) ?? ''
  for (const bad of ["'zq1xq'", 'zq1xq', '"zq1xq"', '4711', '"a"--']) {
    expect(strangeIn(filtered.replace(' WHERE ', ` WHERE ${bad} = `), known), `${bad} in ${filtered}`).not.toEqual([])
  }
}

/** A model that all three protocols serve to whoever asks. */
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

/** What statements of a database are made of beside names, whatever the model: read from those of other models, which no caller has seen. */
function dialectWords(dialect: DatabaseDialect): string[] {
  const seeds = Array.from({ length: others }, (_, index) => proofSeed() - 1 - index)
  const found = seeds.flatMap(seed => [...compiled(modelOf(seed), dialect, seed, drawnOfOthers).words])
  return [...new Set(found)].filter(word => !word.startsWith('"'))
}

/** Operations that could be meant, and all words of the statements that are compiled for them: without a protocol, and without a caller. */
function compiled(
  model: PackageModel,
  dialect: DatabaseDialect,
  seed: number,
  count: number,
): { asked: GeneratedOperation[]; words: Set<string> } {
  const api = apiOf(model)
  const schema = instanceSchemaOf(model, dialect)
  const plans = compileApi(api, schema, dialect)
  const naive = naiveOf(model, api, schema, false)
  const random = seededRandom(seed)
  const texts = new Set<string>()
  const asked = Array.from({ length: count }, () => arbitraryOperation(naive, random)).filter(one => one !== null)
  for (const { sent, caller, refused } of asked) {
    if (refused !== null) continue
    for (const way of ['plan', 'written'] as const) {
      try {
        const { steps } = plans[way](sent, caller)
        // Whatever is asked is answered by one row of ones, so that plans go on to their end.
        for (let step = steps.next([]); !step.done; step = steps.next([Array.from({ length: 100 }, () => '1')])) {
          texts.add(step.value.text)
        }
      } catch (error) {
        // A value that the row answers may be none of its field.
        if (!(error instanceof PlanFault)) throw error
      }
    }
  }
  return { asked, words: wordsOf([...texts]) }
}

/** What GraphQL calls types and members, by which PostgreSQL writes its answers. */
function namesOf(model: PackageModel): string[] {
  const called = [...apiNames(apiOf(model)).values()]
  const members = called.flatMap(one => [...one.members.values()])
  return [...members, 'customFields', '__typename']
    .map(name => `"${name}"`)
    .concat(called.map(({ type }) => `'${type}'`))
}

const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_$]*|\$\d+|\?\d*|\d+(?:\.\d+)?|--|\/\*|\s+|./gsu

/** What statements are made of: names in quotes and literals whole, numbers, words. Of aliases and places only their letters. */
function wordsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap(text => text.match(token) ?? []).map(word => word.replace(/^([a-z]|\$|\?)\d+$/, '$1#')))
}

function strangeIn(text: string, known: ReadonlySet<string>): string[] {
  return [...wordsOf([text])].filter(word => !known.has(word))
}
