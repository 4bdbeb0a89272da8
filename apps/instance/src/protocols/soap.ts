import { apiOperations, type DescribedOperation } from '@cadmus/formats/api-operations'
import { wsdlOf } from '@cadmus/formats/wsdl/write'
import { targetNamespace } from '@cadmus/formats/wsdl/schema'
import type { Api } from '@cadmus/model/api/api'
import { wholeText } from '@cadmus/model/text-pieces'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reportedError, writeErrorHeaders } from '../http/errors.ts'
import type { Need } from '../auth/admitted.ts'
import type { ServedPackage } from '../engine/engine.ts'
import {
  acceptText,
  admitFurther,
  explorerAddress,
  type ProtocolHost,
  runningFor,
  toHttpError,
} from './protocol-host.ts'
import { permissionFor, surfaceOf } from './rest/surface.ts'
import { answerText } from './soap/answers.ts'
import {
  envelopeOf,
  faultStatus,
  faultText,
  readEnvelope,
  type ReportedFault,
  SoapFault,
  type SoapVersion,
} from './soap/envelope.ts'
import { operationOf } from './soap/requests.ts'

type HttpRequest = FastifyRequest<{
  Params: { readonly ns: string }
  Querystring: Readonly<Record<string, unknown>>
  Body: unknown
}>

const contentTypes: Readonly<Record<SoapVersion, string>> = { '1.1': 'text/xml', '1.2': 'application/soap+xml' }

/**
 * Serves every package with SOAP at `/soap/<namespace>/1.0`, in both versions, chosen by content type. Each message is
 * one operation. The WSDL is at `?wsdl`; other GET requests are redirected to the explorer.
 */
export function registerSoap<Running extends ServedPackage>(app: FastifyInstance, host: ProtocolHost<Running>): void {
  void app.register(
    async soap => {
      acceptText(soap, Object.values(contentTypes))
      soap.get('/', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request, 'SOAP')
        if (!requestsWsdl(request)) return reply.redirect(explorerAddress(running.api, 'soap'))
        await host.admit(request, running, 'any')
        const address = addressOf(running.api, request)
        request.scope.requireCaller()
        return host.send(reply, 'text/xml; charset=utf-8', wsdlOf(running.api, { address }))
      })
      soap.post('/', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request, 'SOAP')
        return answer(host, running, versionOf(request), request, reply)
      })
    },
    { prefix: '/soap/:ns/1.0' },
  )
}

function requestsWsdl({ query }: HttpRequest): boolean {
  return Object.keys(query).some(name => name.toLowerCase() === 'wsdl')
}

async function answer<Running extends ServedPackage>(
  host: ProtocolHost<Running>,
  running: Running,
  version: SoapVersion,
  request: HttpRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = `${contentTypes[version]}; charset=utf-8`
  try {
    // Messages are parsed only for admitted callers.
    const admitted = await host.admit(request, running, 'any')
    const message = readEnvelope(typeof request.body === 'string' ? request.body : '', version)
    const described = describedOf(running.api, message)
    const caller = await admitFurther(host, request, running, admitted, needsOf(described))
    const operation = operationOf(surfaceOf(running.api), described, message, caller)
    const result = await running.engine.run(operation, caller, request.scope)
    const sent = host.send(reply, type, envelopeOf(answerText(running.api, described, result), version))
    return sent instanceof Promise ? await sent : sent
  } catch (error) {
    const fault = reportError(error, request, reply)
    const body = faultText(fault, version, targetNamespace(running.api.namespace))
    return reply
      .status(faultStatus(fault, version))
      .type(type)
      .send(wholeText(envelopeOf(body, version)))
  }
}

const operationsByApi = new WeakMap<Api, ReadonlyMap<string, DescribedOperation>>()

function describedOf(api: Api, { name, namespace }: { name: string; namespace: string }): DescribedOperation {
  const operations =
    operationsByApi.get(api) ?? new Map(apiOperations(api).map(operation => [operation.name, operation]))
  operationsByApi.set(api, operations)
  const described = namespace === targetNamespace(api.namespace) ? operations.get(name) : undefined
  if (!described) throw new SoapFault('sender', `The service has no operation ${name.slice(0, 100)}.`)
  return described
}

function needsOf(described: DescribedOperation): readonly Need[] {
  const { kind, entity } = described
  if (kind !== 'related') return [{ entity: entity.name, operation: kind === 'aggregate' ? 'selectAll' : kind }]
  return [permissionFor(described.other.name, described.relation.kind), { entity: entity.name, operation: 'select' }]
}

function versionOf({ headers }: HttpRequest): SoapVersion {
  return headers['content-type']?.toLowerCase().startsWith(contentTypes['1.2']) ? '1.2' : '1.1'
}

/** The address under which the caller reached the instance; foreign host names are refused earlier. */
function addressOf({ namespace }: Api, { protocol, host }: HttpRequest): string {
  return `${protocol}://${host}/soap/${namespace}/1.0`
}

/** The fault for the caller. Unexpected errors are logged under the id of the request. */
function reportError(error: unknown, request: HttpRequest, reply: FastifyReply): ReportedFault {
  if (error instanceof SoapFault) return { kind: error.kind, status: 400, message: error.message, fields: [] }
  const converted = toHttpError(error)
  const { status, message, fields = [] } = reportedError(converted, request)
  writeErrorHeaders(reply, converted)
  return { kind: status < 500 ? 'sender' : 'receiver', status, message, fields }
}
