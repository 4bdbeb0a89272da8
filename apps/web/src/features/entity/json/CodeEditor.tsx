import { json } from '@codemirror/lang-json'
import { useEffect, useRef, type Ref, useImperativeHandle } from 'react'
import { createCodeEditor, type CodeEditor as Editor } from '../../../ui/code-editor.ts'
import styles from './EditSource.module.css'

export type CodeEditorProps = { label: string; text: string; onChange: () => void; ref: Ref<Editor | null> }

/** JSON editor with highlighting, folding and search. Tab indents; after Escape it moves the focus. */
export function CodeEditor({ label, text, onChange, ref }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const changed = useRef(onChange)
  useEffect(() => {
    changed.current = onChange
  })
  useImperativeHandle(ref, () => ({
    text: () => editor.current?.text() ?? text,
    goTo: at => editor.current?.goTo(at),
    destroy: () => editor.current?.destroy(),
  }))
  useEffect(() => {
    const element = host.current
    if (!element) return
    editor.current = createCodeEditor(element, { label, text, language: json(), onChange: () => changed.current() })
    // Keep keys inside: Escape closes the search, not the dialog, and letters trigger no commands.
    const keep = (event: KeyboardEvent) => event.key !== 'Tab' && event.stopPropagation()
    element.addEventListener('keydown', keep)
    return () => {
      element.removeEventListener('keydown', keep)
      editor.current?.destroy()
      editor.current = null
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Initial text only: the editor owns it afterwards.
  }, [])
  return <div ref={host} className={styles['editor']} />
}
