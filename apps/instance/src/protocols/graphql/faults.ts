import type { OperationFault } from '@cadmus/model/api/operation'
import { GraphQLError } from 'graphql'
import { OperationError } from '../../engine/errors.ts'
import { writtenError } from '../../http/errors.ts'
import { HttpError } from '../../http-error.ts'
import { toHttpError } from '../rest/answers.ts'

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
}

/**
 * Converts an error to a GraphQL error with the message of REST, its status and a code. Rethrows unexpected errors.
 */
export function graphQlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const converted = toHttpError(error)
  if (!(converted instanceof HttpError)) throw error
  // Shortens the message as the other protocols do.
  const { status, message } = writtenError(converted, '')
  return new GraphQLError(message, { extensions: { code: codes[status] ?? 'FAILED', status } })
}

/** The error for a query that cannot be served. */
export function invalidQuery(message: string): OperationError {
  const fault: OperationFault = { kind: 'invalid', message }
  return new OperationError(fault)
}
