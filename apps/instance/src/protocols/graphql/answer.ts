import type { Api } from '@cadmus/model/api/api'
import type { FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { idOf } from '../../http/errors.ts'
import { forLog } from '../../log.ts'
import { HttpError } from '../../http-error.ts'
import { Documents, GraphQlRefusal, type GraphQlRequest } from './documents.ts'
import { graphQlError } from './faults.ts'
import type { GraphQlText } from './planned.ts'
import type { GraphQlContext } from './resolvers.ts'
import { executableSchema } from './schema.ts'

/** Answers a request. `mayChange`: whether it came in a way that changes may come. Throws an `HttpError` where it did not. */
export function answerGraphQl(
  api: Api,
  asked: GraphQlRequest,
  context: GraphQlContext,
  mayChange: boolean,
): GraphQlText | Promise<GraphQlText> {
  const documents = documentsOf(api)
  try {
    if (!mayChange && !documents.onlyReads(asked)) throw methodNotAllowed()
    return documents.run(asked, context)
  } catch (error) {
    if (!(error instanceof GraphQlRefusal)) throw error
    return { status: 400, text: JSON.stringify({ errors: error.errors }) }
  }
}

/** What a caller may hear; what is a defect of ours is in the log, under the request's id. */
export function told(error: unknown, request: FastifyRequest): Error {
  try {
    return graphQlError(error)
  } catch {
    const requestId = idOf(request)
    request.log.error({ error: forLog(error), requestId }, 'request failed')
    const message = `Something went wrong in the instance (${requestId}).`
    return new GraphQLError(message, { extensions: { code: 'FAILED', status: 500 } })
  }
}

const remembered = new WeakMap<Api, Documents>()

/** Made at the first request: a package that nobody asks in GraphQL has no schema in memory. */
function documentsOf(api: Api): Documents {
  const known = remembered.get(api) ?? new Documents(api, executableSchema(api))
  remembered.set(api, known)
  return known
}

function methodNotAllowed(): HttpError {
  return new HttpError(405, 'Changes are sent by POST.', { allow: 'POST' })
}
