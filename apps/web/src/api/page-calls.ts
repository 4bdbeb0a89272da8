// How open pages detect each other without locks, as on plain http.

const asking = 'who'
const here = 'here '
/** Maximum response time of an open page in milliseconds, including background pages. */
const patience = 400

let line: BroadcastChannel | null = null

/** Responds to calls for the page's id while it is open. */
export function answerCalls(id: string): void {
  const called = open()
  called?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === asking) called.postMessage(here + id)
  })
}

/** Which of the pages are open; resolves early once all have responded. */
export async function callPages(wanted: readonly string[]): Promise<ReadonlySet<string>> {
  const called = open()
  if (!called || wanted.length === 0) return new Set()
  const missing = new Set(wanted)
  await new Promise<void>(resolve => {
    const leave = () => {
      clearTimeout(timer)
      called.removeEventListener('message', hear)
      resolve()
    }
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string' && data.startsWith(here)) missing.delete(data.slice(here.length))
      if (missing.size === 0) leave()
    }
    const timer = setTimeout(leave, patience)
    called.addEventListener('message', hear)
    called.postMessage(asking)
  })
  return new Set(wanted.filter(id => !missing.has(id)))
}

function open(): BroadcastChannel | null {
  if ('BroadcastChannel' in window) line ??= new BroadcastChannel('cadmus-pages')
  return line
}
