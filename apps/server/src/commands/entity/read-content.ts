import { entityForm } from '@cadmus/model/content'
import { readStored, StoredFormError } from '@cadmus/model/stored/stored-form'
import type { EntityContent } from '@cadmus/model/entity'
import { isRecord } from '@cadmus/model/equal'
import { hasMoreFormsThan, holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { lossProblem, problemOf } from '@cadmus/model/read-content'
import { syntaxFault } from '@cadmus/model/values/json-syntax'
import { type ApiError, type FieldError, invalid } from '../../errors/api-error.ts'

/** Limit of reported problems. */
const maxReported = 100

/** Parses a content. 400 with line and column for invalid JSON, and with the path of each invalid value. */
export function readContent(text: string): EntityContent {
  // Checked on the text, because deep nesting or extremely many values are slow to parse.
  if (isDeeperThan(text, limits.jsonDepth)) throw noContent([{ path: 'content', message: messages.content.tooDeep }])
  if (holdsMoreThan(text, limits.jsonValues)) throw noContent([{ path: 'content', message: messages.content.tooMuch }])
  if (hasMoreFormsThan(text, limits.jsonForms))
    throw noContent([{ path: 'content', message: messages.content.tooMuch }])
  const json = parsed(text)
  const loss = lossProblem(text)
  if (loss !== undefined) throw noContent([{ path: 'content', message: loss }])
  if (!isRecord(json)) throw noContent([{ path: 'content', message: messages.content.noObject }])
  refuseLongLists(json)
  try {
    return readStored(entityForm, json)
  } catch (error) {
    if (!(error instanceof StoredFormError)) throw error
    throw noContent(error.issues.slice(0, maxReported).map(issue => problemOf(issue, json)))
  }
}

/** 400 for valid JSON that is not the content of an entity. */
export function noContent(errors: readonly FieldError[]): ApiError {
  return invalid(messages.failed.entityContent, [...errors])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const fault = syntaxFault(text)
    if (fault === undefined) throw error
    const message = messages.content.syntaxError(fault.cause, fault.line, fault.column)
    throw invalid(message, [{ path: 'content', message }])
  }
}

/** Counted before parsing: an invalid item causes a problem per field. */
function refuseLongLists({ typeAttributes, entityAttributes }: Record<string, unknown>): void {
  refuseLong('typeAttributes', typeAttributes, 'type attributes', limits.attributes)
  refuseLong('entityAttributes', entityAttributes, 'relationships', limits.relationships)
}

function refuseLong(path: string, list: unknown, what: string, limit: number): void {
  if (!Array.isArray(list) || list.length <= limit) return
  throw noContent([{ path, message: messages.tooMany(what, limit, list.length) }])
}
