import type { FastifyRequest } from 'fastify'
import type { FilePart } from '@cadmus/model/contract/call'
import { eitherOf } from '@cadmus/model/display'
import { limits } from '@cadmus/model/limits'
import { ApiError, invalid } from '../errors/api-error.ts'

type UploadedFile = { part: string; fileName: string; bytes: Uint8Array }

/** A multipart form read into memory: files and text fields by part name. */
export type Form = { files: Map<string, UploadedFile>; fields: Map<string, string> }

export const uploadLimits = {
  fileSize: limits.upload,
  files: 4,
  fields: 50,
  parts: 54,
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  headerPairs: 100,
}

/**
 * Reads the form of a call that declares files. Each declared file must be present once, with an allowed extension;
 * other files are rejected.
 */
export async function readForm(request: FastifyRequest, declared: readonly FilePart[]): Promise<Form> {
  const form = await readParts(request, declared).catch((error: unknown) => {
    // Drains the remaining input unread, so that the connection remains usable.
    request.raw.unpipe()
    request.raw.resume()
    throw isParserError(error)
      ? new ApiError(400, 'malformed', 'The form is malformed or incomplete.', { detail: error })
      : error
  })
  for (const { part } of declared) {
    if (!form.files.has(part)) throw invalid(`The form has no file ${part}.`, [{ path: part, message: 'Required' }])
  }
  return form
}

/** Among the parser's errors, only exceeded limits carry a status. */
function isParserError(error: unknown): boolean {
  return !(error instanceof ApiError) && !(error instanceof Error && 'statusCode' in error && error.statusCode === 413)
}

async function readParts(request: FastifyRequest, declared: readonly FilePart[]): Promise<Form> {
  const form: Form = { files: new Map(), fields: new Map() }
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      form.fields.set(part.fieldname, String(part.value))
      continue
    }
    const declaration = declared.find(file => file.part === part.fieldname)
    if (declaration === undefined || form.files.has(part.fieldname)) {
      throw invalid(`The form has an unexpected file: ${part.fieldname}.`, [
        { path: part.fieldname, message: 'This file is not expected.' },
      ])
    }
    checkExtension(part.filename, declaration)
    form.files.set(part.fieldname, {
      part: part.fieldname,
      fileName: part.filename,
      bytes: await part.toBuffer(),
    })
  }
  return form
}

function checkExtension(fileName: string, declaration: FilePart): void {
  const lower = fileName.toLowerCase()
  if (declaration.extensions.some(extension => lower.endsWith(extension))) return
  const extensions = eitherOf(declaration.extensions)
  throw new ApiError(415, 'unsupported_media_type', `The file must be a ${extensions} file.`, {
    errors: [{ path: declaration.part, message: `this must be a ${extensions} file.` }],
  })
}

/** Forms of up to 100 MB are held in memory, so their number per user is limited. */
const maxForms = 2

/** Counts the forms per user that are being read or processed. */
export class FormSlots {
  #held = new Map<string, number>()

  /** Returns the function that releases the slot. Throws 429 without a free slot. */
  take(userId: string): () => void {
    const held = this.#held.get(userId) ?? 0
    if (held >= maxForms) {
      throw new ApiError(
        429,
        'rate_limited',
        'Too many of your uploads are in progress. Try again when one has finished.',
        { retryAfter: 5 },
      )
    }
    this.#held.set(userId, held + 1)
    return () => this.#release(userId)
  }

  #release(userId: string): void {
    const held = (this.#held.get(userId) ?? 1) - 1
    if (held === 0) this.#held.delete(userId)
    else this.#held.set(userId, held)
  }
}
