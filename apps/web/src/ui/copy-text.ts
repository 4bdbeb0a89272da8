import { notify } from './notices.ts'

/** Copies text to the clipboard and notifies about the result. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify('success', 'Copied to the clipboard.')
  } catch {
    notify('error', 'The browser does not allow copying here.')
  }
}
