import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mediaTypeOf, servedDisposition, servedType } from './media-type.js'

test('what a browser could run is served as bytes', () => {
  const types = [
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/xml',
    'application/javascript',
    'text/javascript',
    'text/css',
    'application/x-shockwave-flash',
    'multipart/x-mixed-replace',
    'nonsense',
    '',
    undefined,
  ]
  for (const type of types) {
    assert.equal(servedType(type), 'application/octet-stream', type)
    assert.match(servedDisposition('inline', type, 'x'), /^attachment;/)
  }
})

test('pictures, sound and video may be shown', () => {
  for (const type of ['image/png', 'IMAGE/JPEG', 'audio/mpeg', 'video/mp4; codecs=avc1']) {
    assert.equal(servedType(type), type.split(';')[0]!.toLowerCase())
    assert.match(servedDisposition('inline', type, 'x'), /^inline;/)
    assert.match(servedDisposition('attachment', type, 'x'), /^attachment;/)
  }
})

test('documents keep their type and are saved', () => {
  assert.equal(servedType('application/pdf'), 'application/pdf')
  assert.equal(servedType('text/plain'), 'text/plain; charset=utf-8')
  assert.match(servedDisposition('inline', 'application/pdf', 'x.pdf'), /^attachment;/)
})

test('the type of a file follows from its name, and common pictures, sounds and videos may be shown', () => {
  const shown = 'png jpg jpeg gif webp avif bmp mp3 m4a aac ogg oga opus wav flac weba mp4 m4v webm ogv mov'
  for (const extension of shown.split(' '))
    assert.match(servedDisposition('inline', mediaTypeOf(`x.${extension}`), 'x'), /^inline/, extension)
  for (const extension of ['html', 'svg', 'js', 'xml', 'unknown'])
    assert.equal(servedType(mediaTypeOf(`x.${extension}`)), 'application/octet-stream', extension)
  assert.equal(servedType(mediaTypeOf('NOTES.MD')), 'text/markdown; charset=utf-8')
  assert.equal(mediaTypeOf('png'), undefined)
})

test('any name fits into the header', () => {
  assert.equal(
    servedDisposition('attachment', undefined, 'отчёт "1" (50%)\r\n.pdf'),
    `attachment; filename="????? \\"1\\" (50%)??.pdf"; filename*=UTF-8''` +
      `%D0%BE%D1%82%D1%87%D1%91%D1%82%20%221%22%20%2850%25%29%0D%0A.pdf`,
  )
  assert.doesNotThrow(() => servedDisposition('attachment', undefined, 'half \ud83d'))
})
