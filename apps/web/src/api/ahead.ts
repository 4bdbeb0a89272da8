/** What public/start.js asked for before the page's code was here. */
type Ahead = { organisation: string; answers: Map<string, Promise<Response | null>> }

/** The answer to a call that was asked ahead in that organisation; null: it was not, and the call is made now. Each is given once. */
export async function askedAhead(address: string, organisation: string): Promise<Response | null> {
  const ahead = waiting()
  const answer = ahead?.organisation === organisation ? ahead.answers.get(address) : undefined
  if (!ahead || !answer) return null
  ahead.answers.delete(address)
  return answer
}

/** What nobody took by now is as old as the page: it would be wrong later. */
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
