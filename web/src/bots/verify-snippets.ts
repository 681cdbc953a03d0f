/** How to check the signature of a webhook, ready to paste. The secret comes from the environment. */
export const VERIFY: readonly { name: string; language: string; text: string }[] = [
  {
    name: 'JavaScript',
    language: 'js',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto'

// \`body\` is the raw text of the request, before it is parsed.
export function isGenuine(headers, body) {
  const id = headers['webhook-id']
  const stamp = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(stamp)) > 300) return false
  const key = Buffer.from(process.env.PARLEY_SIGNING_SECRET.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${stamp}.\${body}\`).digest()
  return headers['webhook-signature'].split(' ').some((part) => {
    const given = Buffer.from(part.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`,
  },
  {
    name: 'Python',
    language: 'python',
    text: `import base64, hashlib, hmac, os, time

# \`body\` is the raw request as bytes, before it is parsed.
def is_genuine(headers, body):
    event_id, stamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(stamp)) > 300:
        return False
    key = base64.b64decode(os.environ["PARLEY_SIGNING_SECRET"].removeprefix("whsec_"))
    signed = f"{event_id}.{stamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(part, expected) for part in given)
`,
  },
  {
    name: 'Go',
    language: 'go',
    text: `// body is the raw request, before it is parsed.
func isGenuine(header http.Header, body []byte) bool {
	id, stamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-sent)) > 300 {
		return false
	}
	secret := strings.TrimPrefix(os.Getenv("PARLEY_SIGNING_SECRET"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + stamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, part := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(part), expected) {
			return true
		}
	}
	return false
}
`,
  },
  {
    name: 'PHP',
    language: 'php',
    text: `<?php
// $body is the raw request: file_get_contents('php://input').
function is_genuine(array $headers, string $body): bool {
    $id = $headers['webhook-id'];
    $stamp = $headers['webhook-timestamp'];
    if (abs(time() - (int) $stamp) > 300) {
        return false;
    }
    $key = base64_decode(substr(getenv('PARLEY_SIGNING_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$stamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $part) {
        if (hash_equals($expected, $part)) {
            return true;
        }
    }
    return false;
}
`,
  },
]
