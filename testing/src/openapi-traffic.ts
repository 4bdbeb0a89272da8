import { type Document, OpenAPIBackend } from 'openapi-backend'

export type Exchange = {
  readonly method: string
  readonly path: string
  /** As JSON; null if there is none. */
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
}

export type TrafficChecker = {
  /** Deviations of a request and its answer from the description. The request is not checked if it was rejected. */
  problemsOf(exchange: Exchange): string[]
}

/** Checks requests and answers against an OpenAPI description with a third-party validator. */
export async function createTrafficChecker(description: Document): Promise<TrafficChecker> {
  const apiRoot = new URL(description.servers?.[0]?.url ?? '/', 'http://localhost').pathname
  const backend = new OpenAPIBackend({
    definition: description,
    apiRoot,
    quick: true,
    coerceTypes: true,
    ajvOpts: { strict: false, formats },
  })
  await backend.init()
  return {
    problemsOf({ method, path, body, status, answer }) {
      const headers = { 'content-type': 'application/json' }
      const request = { method, path, headers, ...(body === null ? {} : { body }) }
      const operation = backend.matchOperation(request)
      if (operation === undefined) return [`${method} ${path} is not described.`]
      if (operation.responses?.[status] === undefined)
        return [`${method} ${path} answers ${status}, which is not described.`]
      const sent = status < 400 ? backend.validator.validateRequest(request, operation).errors : null
      const answered = backend.validator.validateResponse(answer, operation, status).errors
      const sentences = (what: string, errors: typeof sent) =>
        (errors ?? []).map(({ instancePath, message }) => `${method} ${path}: ${what} ${instancePath} ${message}`)
      return [...sentences('sent', sent), ...sentences('answered', answered)]
    },
  }
}

const formats = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
}
