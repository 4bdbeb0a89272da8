import type { FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import type { OperationFault } from '@cadmus/model/api/operation'
import { OperationError } from '../../engine/errors.ts'
import { reportedError } from '../../http/errors.ts'
import { toHttpError } from '../protocol-host.ts'

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
}

/** The error of REST as a GraphQL error. Unexpected errors are logged under the id of the request. */
export function reportError(error: unknown, request: FastifyRequest): GraphQLError {
  if (error instanceof GraphQLError) return error
  const { status, message, fields } = reportedError(toHttpError(error), request)
  return new GraphQLError(message, {
    extensions: { code: codes[status] ?? 'FAILED', status, ...(fields ? { fields } : {}) },
  })
}

/** The error for a query that cannot be served. */
export function invalidQuery(message: string): OperationError {
  const fault: OperationFault = { kind: 'invalid', message }
  return new OperationError(fault)
}
