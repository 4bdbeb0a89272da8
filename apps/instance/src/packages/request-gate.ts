import { Slots } from '../concurrency.ts'

type ActiveRequest = { readonly address: string; readonly retire: () => void; slotIndex: number }

/** Tracks running requests and holds back new ones while tables are changed. */
export class RequestGate {
  readonly #active = new Slots<ActiveRequest>()
  readonly #watchers = new Set<() => void>()
  readonly #closed = new Map<string, Promise<void>>()

  /**
   * Registers a request. Returns the function that ends it, which may be called repeatedly. `retire` is called if the
   * tables change before it ends.
   */
  enter(address: string, retire = () => {}): () => void {
    const request = { address, retire, slotIndex: -1 }
    this.#active.add(request)
    return () => {
      if (this.#active.remove(request)) for (const check of this.#watchers) check()
    }
  }

  /** The promise to await before retrying, if the gate of the address is closed. */
  reopening(address: string): Promise<void> | undefined {
    if (this.#closed.size === 0) return undefined
    return this.#closed.get(namespaceIn(address))
  }

  /** Closes the gate of a package. Returns the function that reopens it. */
  close(namespace: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed.set(namespace, promise)
    return () => {
      if (this.#closed.get(namespace) === promise) this.#closed.delete(namespace)
      resolve()
    }
  }

  /**
   * Resolves when all current requests have ended, or after `timeout` milliseconds. With `namespace`, only those of one
   * package, which are retired after the timeout.
   */
  async drained(timeout: number, namespace?: string): Promise<void> {
    const matches = ({ address }: ActiveRequest) => namespace === undefined || namespaceIn(address) === namespace
    const awaited = new Set(this.#active.all.filter(matches))
    if (awaited.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const check = () => {
      for (const request of awaited) if (request.slotIndex < 0) awaited.delete(request)
      if (awaited.size === 0) resolve()
    }
    this.#watchers.add(check)
    const timer = setTimeout(() => {
      if (namespace !== undefined) for (const request of awaited) request.retire()
      resolve()
    }, timeout)
    await promise
    clearTimeout(timer)
    this.#watchers.delete(check)
  }
}

/** The namespace is the second segment in every protocol; later segments may equal other names. */
function namespaceIn(address: string): string {
  const [, , segment = ''] = (address.split('?')[0] ?? '').split('/')
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
