const PAUSE = 100

/** Waits until every address says that it is up; false where `isOver` comes first. */
export async function whenAllAnswer(urls: readonly string[], isOver: () => boolean): Promise<boolean> {
  for (const url of urls) {
    while (!(await isUp(url))) {
      if (isOver()) return false
      await new Promise(resolve => setTimeout(resolve, PAUSE).unref())
    }
  }
  return true
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}
