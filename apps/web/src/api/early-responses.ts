/** Requests that public/start.js sent before the page's code was loaded. */
type EarlyResponses = { organisation: string; answers: Map<string, Promise<Response | null>> }

/**
 * The response to an early request in that organisation; null: there was none, and the call must be sent. Each
 * response is returned once.
 */
export async function takeEarlyResponse(address: string, organisation: string): Promise<Response | null> {
  const early = waiting()
  const answer = early?.organisation === organisation ? early.answers.get(address) : undefined
  if (!early || !answer) return null
  early.answers.delete(address)
  return answer
}

/** Drops unused responses, which would become outdated. */
export function dropEarlyResponses(): void {
  Reflect.deleteProperty(globalThis, 'cadmusAhead')
}

function waiting(): EarlyResponses | null {
  const value: unknown = Reflect.get(globalThis, 'cadmusAhead')
  return isEarlyResponses(value) ? value : null
}

function isEarlyResponses(value: unknown): value is EarlyResponses {
  return typeof value === 'object' && value !== null && 'answers' in value && value.answers instanceof Map
}
