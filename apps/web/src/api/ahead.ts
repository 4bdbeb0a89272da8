/** Requests that public/start.js sent before the page's code was loaded. */
type Ahead = { organisation: string; answers: Map<string, Promise<Response | null>> }

/**
 * The response to an early request in that organisation; null: there was none, and the call must be sent. Each
 * response is returned once.
 */
export async function askedAhead(address: string, organisation: string): Promise<Response | null> {
  const ahead = waiting()
  const answer = ahead?.organisation === organisation ? ahead.answers.get(address) : undefined
  if (!ahead || !answer) return null
  ahead.answers.delete(address)
  return answer
}

/** Drops unused responses, which would become outdated. */
export function forgetAhead(): void {
  Reflect.deleteProperty(globalThis, 'cadmusAhead')
}

function waiting(): Ahead | null {
  const found: unknown = Reflect.get(globalThis, 'cadmusAhead')
  return isAhead(found) ? found : null
}

function isAhead(value: unknown): value is Ahead {
  return typeof value === 'object' && value !== null && 'answers' in value && value.answers instanceof Map
}
