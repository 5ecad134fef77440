# Builds the jar with Maven and JDK 25, and runs it with JRE 25 as a dedicated user.
#
#   docker build -t quiver .
#   docker run --restart=on-failure -p 127.0.0.1:8080:8080 -v quiver-data:/data quiver
#
# The process ends with exit code 3 when its memory is exhausted; `--restart` starts it again.
# The service listens on all addresses of the container, so it is read-only by default.
# `docker run -e QUIVER_TOKEN=… …` accepts writes with the token, and
# `docker run -e QUIVER_ALLOW_REMOTE_WRITES=true …` accepts them from every client.

FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY . .
RUN mvn -B -ntp package -Dmaven.test.skip=true \
    && mv target/quiver-*.jar quiver.jar

FROM eclipse-temurin:25-jre
RUN useradd --system --home-dir /data --create-home quiver
COPY --from=build /build/quiver.jar /quiver/quiver.jar
# A training run writes an AOT cache of loaded and linked classes, and of the profiles of methods that
# 5,000 requests call. Only this exact JVM can use it.
RUN ["bash", "-c", "\
    java -XX:AOTCacheOutput=/quiver/quiver.aot \
      -jar /quiver/quiver.jar --quiver.storage.path=/tmp/quiver & \
    until (: <>/dev/tcp/127.0.0.1/8080); do kill -0 %1 || exit 1; sleep 1; done; \
    exec 3<>/dev/tcp/127.0.0.1/8080; \
    cat <&3 >/dev/null & \
    for i in {1..5000}; do \
      printf 'GET /datasets/sample.arrows HTTP/1.1\\r\\nHost: localhost\\r\\nRange: bytes=0-4095\\r\\n\\r\\n'; \
    done >&3; \
    printf 'GET /health/liveness HTTP/1.0\\r\\n\\r\\n' >&3; \
    wait %2; kill %1; wait %1; \
    rm -r /tmp/quiver && test -f /quiver/quiver.aot"]
USER quiver
WORKDIR /data
VOLUME /data
ENV SERVER_ADDRESS=0.0.0.0 \
    QUIVER_STORAGE_PATH=/data \
    QUIVER_SAMPLE=false
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /health/liveness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && grep -q '^HTTP/1.1 200' <&3"]
ENTRYPOINT ["java", "-XX:AOTCache=/quiver/quiver.aot", \
    "-jar", "/quiver/quiver.jar"]
