import type { Api } from '@cadmus/model/api/api'
import type { FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { idOf } from '../../http/errors.ts'
import { forLog } from '../../log.ts'
import { HttpError } from '../../http-error.ts'
import { Documents, GraphQlRefusal, type GraphQlRequest } from './documents.ts'
import { graphQlError } from './faults.ts'
import type { GraphQlText } from './operation-plan.ts'
import type { GraphQlContext } from './resolvers.ts'
import { executableSchema } from './schema.ts'

/** Answers a request. `mayChange`: false for GET. Throws an `HttpError` 405 for a change by GET. */
export function answerGraphQl(
  api: Api,
  request: GraphQlRequest,
  context: GraphQlContext,
  mayChange: boolean,
): GraphQlText | Promise<GraphQlText> {
  const documents = documentsOf(api)
  try {
    if (!mayChange && !documents.onlyReads(request)) throw methodNotAllowed()
    return documents.run(request, context)
  } catch (error) {
    if (!(error instanceof GraphQlRefusal)) throw error
    return { status: 400, text: JSON.stringify({ errors: error.errors }) }
  }
}

/** The error for the caller. Unexpected errors are logged under the id of the request. */
export function reportError(error: unknown, request: FastifyRequest): Error {
  try {
    return graphQlError(error)
  } catch {
    const requestId = idOf(request)
    request.log.error({ error: forLog(error), requestId }, 'request failed')
    const message = `Something went wrong in the instance (${requestId}).`
    return new GraphQLError(message, { extensions: { code: 'FAILED', status: 500 } })
  }
}

const documentsByApi = new WeakMap<Api, Documents>()

/** Created with the first request, since a schema takes much memory. */
function documentsOf(api: Api): Documents {
  const documents = documentsByApi.get(api) ?? new Documents(api, executableSchema(api))
  documentsByApi.set(api, documents)
  return documents
}

function methodNotAllowed(): HttpError {
  return new HttpError(405, 'Mutations must be sent by POST.', { allow: 'POST' })
}
