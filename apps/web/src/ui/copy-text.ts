import { notify } from './notices.ts'

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify('success', 'Copied to the clipboard.')
  } catch {
    notify('error', 'The browser does not allow copying here.')
  }
}
