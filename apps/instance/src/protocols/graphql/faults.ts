import type { OperationFault } from '@cadmus/model/api/operation'
import { GraphQLError } from 'graphql'
import { OperationError } from '../../engine/errors.ts'
import { writtenError } from '../../http/errors.ts'
import { HttpError } from '../../http-error.ts'
import { answerable } from '../rest/answers.ts'

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
}

/** An error as an answer holds it: the sentence that REST says, its status and a word for it. Anything else is thrown on. */
export function graphQlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const told = answerable(error)
  if (!(told instanceof HttpError)) throw error
  // As short as it is elsewhere.
  const { status, message } = writtenError(told, '')
  return new GraphQLError(message, { extensions: { code: codes[status] ?? 'FAILED', status } })
}

/** What a caller asked for that is not served. */
export function invalidQuery(message: string): OperationError {
  const fault: OperationFault = { kind: 'invalid', message }
  return new OperationError(fault)
}
