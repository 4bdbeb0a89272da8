// Open pages detect each other by messages where locks are unavailable, as on plain http.

const question = 'who'
const here = 'here '
/** Maximum response time of an open page in milliseconds, including background pages. */
const timeout = 400

let line: BroadcastChannel | null = null

/** Responds to calls for the page's id while it is open. */
export function answerCalls(id: string): void {
  const called = open()
  called?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === question) called.postMessage(here + id)
  })
}

/** Returns which of the pages are open; resolves early once all have responded. */
export async function callPages(pages: readonly string[]): Promise<ReadonlySet<string>> {
  const called = open()
  if (!called || pages.length === 0) return new Set()
  const missing = new Set(pages)
  await new Promise<void>(resolve => {
    const leave = () => {
      clearTimeout(timer)
      called.removeEventListener('message', receive)
      resolve()
    }
    const receive = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string' && data.startsWith(here)) missing.delete(data.slice(here.length))
      if (missing.size === 0) leave()
    }
    const timer = setTimeout(leave, timeout)
    called.addEventListener('message', receive)
    called.postMessage(question)
  })
  return new Set(pages.filter(id => !missing.has(id)))
}

function open(): BroadcastChannel | null {
  if ('BroadcastChannel' in window) line ??= new BroadcastChannel('cadmus-pages')
  return line
}
