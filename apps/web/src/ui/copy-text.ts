import { notify } from './notices.ts'

/** Puts a text into the clipboard, and says whether that worked. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify('success', 'Copied to the clipboard.')
  } catch {
    notify('error', 'The browser does not allow copying here.')
  }
}
