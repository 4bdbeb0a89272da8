import { comparisonTexts, consequenceTexts as texts } from '@cadmus/model/messages/compare-consequences'
import { scriptTexts } from '@cadmus/model/messages/values'
import { Copy, Download } from 'lucide-react'
import { saveFile } from '../api/download.ts'
import { Button } from '../ui/Button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { LongText } from '../ui/LongText.tsx'
import styles from './Consequences.module.css'

export type TextViewProps = { text: string; fileName: string }

/** The comparison as Markdown, to copy into a review. */
export function TextView({ text, fileName }: TextViewProps) {
  return (
    <div className={styles['textView']}>
      <div className={styles['tools']}>
        <Button icon={Copy} onClick={() => void copyText(text)}>
          {texts.copy}
        </Button>
        <Button icon={Download} onClick={() => saveFile(new Blob([text], { type: 'text/markdown' }), fileName)}>
          {texts.download}
        </Button>
      </div>
      <LongText className={styles['wholeText']} label={comparisonTexts.label} text={text} cutText={scriptTexts.cut} />
    </div>
  )
}
