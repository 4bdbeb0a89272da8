import { type TextPieces, wholeText } from '@cadmus/model/text-pieces'
import { readXml, type XmlElement } from '@cadmus/formats/xml'
import type { Api } from '@cadmus/model/api/api'
import type { Operation, OperationFault, OperationResult } from '@cadmus/model/api/operation'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { apiOf } from '@cadmus/sql/api-of'
import { instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { writtenResult } from '@cadmus/sql/queries/written'
import { arbitraryOperation } from '@cadmus/sql/testing/naive/arbitrary-operations'
import { naiveOf } from '@cadmus/sql/testing/naive/naive-of'
import { evaluateRead, type Outcome } from '@cadmus/sql/testing/naive/reads'
import { evaluateWrite } from '@cadmus/sql/testing/naive/writes'
import { packageOf } from '@cadmus/sql/testing/packages'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { describe, expect, it } from 'vitest'
import { OperationError } from '../engine/errors.ts'
import { writtenError } from '../http/errors.ts'
import { HttpError } from '../http-error.ts'
import { toGraphQl, recordOfGraphQl } from '../testing/to-graphql.ts'
import { toRest } from '../testing/to-rest.ts'
import { toSoap, differenceInSoap, xmlSafe } from '../testing/to-soap.ts'
import { comparableOperation, entityOf } from '../testing/comparable-operation.ts'
import { registerGraphQl } from './graphql.ts'
import type { Admitted } from '../auth/admitted.ts'
import type { ServedPackage } from '../engine/engine.ts'
import type { ProtocolHost } from './protocol-host.ts'
import { registerRest } from './rest.ts'
import { registerSoap } from './soap.ts'

const packages = proofCount('protocol_packages', 10, 500)
const operations = proofCount('protocol_operations', 40, 100)

type Counts = Record<'rest' | 'graphql' | 'soap', number>

/** Sends operations over each protocol to an engine that records them and returns a prepared outcome. */
class Bench implements ProtocolHost<ServedPackage> {
  readonly api: Api
  readonly issuer = null
  readonly send = sendPlain
  readonly app: FastifyInstance = fastify({ bodyLimit: 10_000_000, routerOptions: { maxParamLength: 8000 } })
  received: Operation | null = null
  outcome: Outcome = { kind: 'done' }
  readonly #served: ServedPackage
  readonly #caller: Admitted = { name: 'ann', tenant: null, may: () => true }

  constructor(api: Api) {
    this.api = api
    this.#served = {
      api,
      owner: 'acme',
      organisation: 'acme',
      engine: {
        api,
        run: operation => this.#run(operation),
        write: async operation => writtenResult(operation, await this.#run(operation)),
        check: async () => {},
        close: async () => {},
      },
    }
    this.app.setErrorHandler((error, request, reply) => {
      const { status, message } = writtenError(error, request.id)
      void reply.status(status).send({ result: 'ERROR', message })
    })
    registerRest(this.app, this)
    registerGraphQl(this.app, this)
    registerSoap(this.app, this)
  }

  byNamespace(namespace: string): ServedPackage | undefined {
    return namespace === this.api.namespace ? this.#served : undefined
  }

  running(): readonly ServedPackage[] {
    return [this.#served]
  }

  async admit(): Promise<Admitted> {
    return this.#caller
  }

  async #run(operation: Operation): Promise<OperationResult> {
    this.received = operation
    if ('fault' in this.outcome) throw new OperationError(this.outcome.fault)
    return this.outcome
  }
}

function sendPlain(reply: FastifyReply, type: string, text: TextPieces): FastifyReply {
  return reply.type(type).send(wholeText(text))
}

describe(`${operations} operations on each of ${packages} packages`, () => {
  it('reach the engine unchanged over REST, GraphQL and SOAP, with the same rows and errors', async () => {
    const start = performance.now()
    const counts: Counts = { rest: 0, graphql: 0, soap: 0 }
    for (let at = 0; at < packages; at += 1) await provePackage(proofSeed() + at, counts)
    const least = packages * operations * 0.1
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(least)
    recordProof({
      name: 'REST, GraphQL and SOAP turn requests into the same operations, with the same rows and errors',
      counts: { packages, ...counts },
      durationMs: performance.now() - start,
    })
  })
})

/** The outcome if databases differ in which fault they report first. */
const undecided: Outcome = { fault: { kind: 'conflict', message: 'A record with these values already exists.' } }

async function provePackage(seed: number, counts: Counts): Promise<void> {
  const model = packageOf(arbitraryModel(seed, { size: 6 }), seed)
  const { configurationBuild: build } = model.configuration
  build.apiConfiguration.type = ['REST', 'SOAP', 'GRAPHQL']
  const api = apiOf(model)
  const naive = naiveOf(model, api, instanceSchemaOf(model, 'sqlite'), false)
  const bench = new Bench(api)
  const random = seededRandom(seed)
  if (naive.entities.size === 0) return
  let made = 0
  for (let index = 0; index < operations; index += 1) {
    const drawn = arbitraryOperation(naive, random)
    if (!drawn) continue
    const { normalized, sent, refused, caller } = drawn
    made += 1
    if (refused !== null) bench.outcome = { fault: { kind: 'invalid', message: refused } }
    else if (normalized.kind === 'insert' || normalized.kind === 'update' || normalized.kind === 'delete') {
      bench.outcome = evaluateWrite(naive, normalized, caller, made) ?? undecided
    } else bench.outcome = evaluateRead(naive, normalized, caller)
    if ('fault' in bench.outcome) bench.outcome = { fault: shortened(bench.outcome.fault) }
    const place = `seed ${seed}, operation ${index}: ${JSON.stringify(sent).slice(0, 2000)}`
    await proveRest(bench, sent, refused !== null, place, counts)
    await proveGraphQl(bench, sent, refused !== null, place, counts)
    await proveSoap(bench, sent, refused !== null, place, counts)
  }
  await bench.app.close()
}

async function proveRest(
  bench: Bench,
  sent: Operation,
  isRefused: boolean,
  place: string,
  counts: Counts,
): Promise<void> {
  const request = toRest(bench.api, sent)
  const entity = entityOf(bench.api, sent)
  if (!request) return
  bench.received = null
  const { method, url, body } = request
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await bench.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
  if (!isWhole(bench, sent, isRefused, answer.statusCode, `REST ${place} ${answer.body}`)) return
  const { outcome } = bench
  const answerBody: Record<string, unknown> = JSON.parse(answer.body)
  if ('fault' in outcome)
    expect([answer.statusCode, answerBody['message']], `at ${place}`).toEqual([
      statusOf(outcome.fault),
      outcome.fault.message,
    ])
  else if (outcome.kind === 'done') expect(answerBody, `at ${place}`).toMatchObject({ result: 'OK' })
  else if (outcome.kind === 'record') expect(answerBody[entity.segment], `at ${place}`).toEqual(plain(outcome.record))
  else
    expect([answerBody['total'], answerBody[entity.segment]], `at ${place}`).toEqual([
      outcome.total,
      plain(outcome.records),
    ])
  counts.rest += 1
}

async function proveGraphQl(
  bench: Bench,
  sent: Operation,
  isRefused: boolean,
  place: string,
  counts: Counts,
): Promise<void> {
  const request = toGraphQl(bench.api, sent)
  const entity = entityOf(bench.api, sent)
  if (!request) return
  bench.received = null
  const { query, variables, field } = request
  const answer = await bench.app.inject({
    method: 'POST',
    url: `/graphql/${bench.api.namespace}/1.0`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ query, variables }),
  })
  // The GraphQL schema refuses numbers in strings, the engine accepts them.
  if (answer.statusCode === 400 && /cannot represent/.test(answer.body)) return
  if (!isWhole(bench, sent, isRefused, answer.statusCode, `GraphQL ${place} ${query} ${answer.body}`)) return
  const { outcome } = bench
  const { data, errors } = JSON.parse(answer.body)
  const [error] = errors ?? []
  if ('fault' in outcome) {
    expect([error?.extensions?.status, error?.message], `at ${place}`).toEqual([
      statusOf(outcome.fault),
      outcome.fault.message,
    ])
  } else {
    expect(errors, `at ${place}`).toBeUndefined()
    const one = (record: unknown) => recordOfGraphQl(bench.api, entity, Object(record))
    if (outcome.kind === 'record') expect(one(data[field]), `at ${place}`).toEqual(plain(outcome.record))
    if (outcome.kind === 'list') {
      expect([data[field].total, data[field].records.map(one)], `at ${place}`).toEqual([
        outcome.total,
        plain(outcome.records),
      ])
    }
  }
  counts.graphql += 1
}

async function proveSoap(
  bench: Bench,
  sent: Operation,
  isRefused: boolean,
  place: string,
  counts: Counts,
): Promise<void> {
  const content = toSoap(bench.api, sent)
  const entity = entityOf(bench.api, sent)
  if (content === null) return
  bench.received = null
  const envelope = 'http://www.w3.org/2003/05/soap-envelope'
  const answer = await bench.app.inject({
    method: 'POST',
    url: `/soap/${bench.api.namespace}/1.0`,
    headers: { 'content-type': 'application/soap+xml' },
    payload: `<e:Envelope xmlns:e="${envelope}"><e:Body>${content}</e:Body></e:Envelope>`,
  })
  if (!isWhole(bench, sent, isRefused, answer.statusCode, `SOAP ${place} ${answer.body}`)) return
  const { outcome } = bench
  const answerBody = readXml(answer.body).children[0]?.children[0]
  const all = (name: string) => answerBody?.children.filter(child => child.name === name) ?? []
  if ('fault' in outcome) {
    const error = all('Detail')[0]?.children[0]
    expect(
      error?.children.map(({ text }) => text),
      `at ${place}`,
    ).toEqual([outcome.fault.kind, xmlSafe(outcome.fault.message)])
  } else {
    const records = outcome.kind === 'list' ? outcome.records : outcome.kind === 'record' ? [outcome.record] : []
    const elements: readonly XmlElement[] = all('record')
    expect(elements.length, `at ${place}`).toBe(records.length)
    for (const [at, record] of records.entries()) {
      const [element] = elements.slice(at)
      expect(element && differenceInSoap(bench.api, entity, element, record), `at ${place}`).toBe('')
    }
    if (outcome.kind === 'list') expect(all('total')[0]?.text, `at ${place}`).toBe(String(outcome.total))
  }
  counts.soap += 1
}

/** Checks that the engine received the operation. A protocol may refuse only operations that must be refused. */
function isWhole(bench: Bench, sent: Operation, isRefused: boolean, status: number, place: string): boolean {
  expect(status, `at ${place}`).not.toBe(500)
  if (bench.received === null) {
    expect(isRefused, `at ${place}`).toBe(true)
    return false
  }
  if (!isRefused)
    expect(comparableOperation(bench.api, bench.received), `at ${place}`).toBe(comparableOperation(bench.api, sent))
  return true
}

/** Protocols shorten long messages. */
function shortened({ kind, message }: OperationFault): OperationFault {
  return { kind, message: writtenError(new HttpError(400, message), '').message }
}

function statusOf({ kind }: OperationFault): number {
  return { invalid: 400, notFound: 404, conflict: 409, unavailable: 503 }[kind]
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
