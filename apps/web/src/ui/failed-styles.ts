const unloaded = 'This part of the page could not be loaded.'
/** The bundler asks for a stylesheet once: after a failure the code would come without it. */
const failedStyles = new Set<HTMLLinkElement>()
if (typeof document !== 'undefined') document.addEventListener('error', ({ target }) => void noteFailed(target), true)

function noteFailed(target: EventTarget | null): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
}

async function loadFailedStyles(): Promise<void> {
  const loads = [...failedStyles].map(async failed => {
    failedStyles.delete(failed)
    const link = document.createElement('link')
    const loaded = new Promise<void>((resolve, reject) => {
      link.addEventListener('load', () => resolve())
      link.addEventListener('error', () => reject(new Error(unloaded)))
    })
    link.rel = 'stylesheet'
    link.href = failed.href
    failed.replaceWith(link)
    await loaded
  })
  await Promise.all(loads)
}

/** Loads code and the stylesheets that could not be loaded before. The bundler's reason is the address of a file. */
export async function loadWithStyles<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    await loadFailedStyles()
    return await load()
  } catch (cause) {
    throw new Error(unloaded, { cause })
  }
}
