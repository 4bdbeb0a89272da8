// How open pages tell each other that they are there, where there are no locks: on a plain http address.

const asking = 'who'
const here = 'here '
/** A page that is open has answered by then, also one that nobody looks at. */
const patience = 400

let line: BroadcastChannel | null = null

/** Answers from now on for the page of that id, as long as it is open. */
export function answerCalls(id: string): void {
  const called = open()
  called?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === asking) called.postMessage(here + id)
  })
}

/** Which of these pages are open: all that answer, as soon as they all have. */
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
